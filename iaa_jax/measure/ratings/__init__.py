"""Ratings in the form of the arrays that coefficients take."""

MOST_CELLS = 1 << 27
"""Maximum number of cells of an array of a coefficient (1 GB in float64): its data, or the
quantities of each pattern of ratings that its formula sums. Larger arrays raise an error."""
