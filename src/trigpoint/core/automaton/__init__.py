"""Patterns on an automaton of our own: no backtracking, no clock, the same verdict everywhere (FND-30)."""

from trigpoint.core.automaton.run import MAX_STEPS, Automaton, compile_pattern
from trigpoint.core.automaton.tree import PatternError

__all__ = ["MAX_STEPS", "Automaton", "PatternError", "compile_pattern"]
