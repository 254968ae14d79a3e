"""Standard errors and intervals of what was requested."""
