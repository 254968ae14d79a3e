"""What secondary labels add: sweeps over p, classes of items, patterns."""
