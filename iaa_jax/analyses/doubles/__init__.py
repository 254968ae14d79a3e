"""The effect of secondary labels: sweeps over p, classes of items, patterns of two ratings."""
