"""Ratings in the form of the arrays that coefficients take."""

MOST_CELLS = 1 << 27
"""Maximum number of cells of a coefficient's data, or of the quantities of items that its formula
sums (1 GB in float64); beyond it, there is an error."""
