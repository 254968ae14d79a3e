"""Prodigy's two blocks: statistics of the annotations, and agreement."""
