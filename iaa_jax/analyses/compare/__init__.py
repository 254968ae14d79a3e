"""Compares the agreement of two sets of ratings."""
