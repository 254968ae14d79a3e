"""Causes of disagreement, such as exchanged labels, and the gain from mending each cause."""
