"""Ratings opened once, and the arrays that coefficients take."""

MOST_CELLS = 1 << 27
"""Cells of a mass, or of its statistics (1 GB in float64), beyond which a measure is refused."""
