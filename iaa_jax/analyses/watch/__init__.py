"""Agreement as ratings come in: intervals that hold at all looks together."""
