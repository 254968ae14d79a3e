"""Agreement as it comes in: intervals that hold at all looks together."""
