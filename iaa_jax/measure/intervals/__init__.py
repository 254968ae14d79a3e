"""Standard errors and intervals of requested coefficients."""
