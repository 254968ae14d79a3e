"""Computations that several analyses share."""
