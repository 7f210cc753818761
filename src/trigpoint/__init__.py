"""trigpoint measures AI services against fixed points, and keeps proof."""

__version__ = "0.1.0"
