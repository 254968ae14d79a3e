"""Prodigy's own statistics and agreement."""
