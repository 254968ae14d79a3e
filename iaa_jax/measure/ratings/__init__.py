"""Ratings in the form of the arrays that coefficients take."""

MOST_CELLS = 1 << 27
"""Maximum number of cells of the data of a measure, or of its statistics (1 GB in float64); beyond
it, there is an error."""
