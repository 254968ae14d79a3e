"""Causes of disagreement that have a name, and what mending each would bring."""
