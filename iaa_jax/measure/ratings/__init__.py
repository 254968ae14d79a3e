"""Ratings opened once, and the arrays that coefficients take."""

MOST_CELLS = 1 << 27
"""Maximum number of cells of a mass, or of its statistics (1 GB in float64); above it, a measure is
refused."""
