"""Measurements of this project's speed and of its statistics, each against a bound or a peer."""
