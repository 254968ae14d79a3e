"""Requests: a coefficient by its name on ratings, and what its figure can be."""
