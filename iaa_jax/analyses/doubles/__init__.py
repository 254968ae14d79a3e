"""The effect of secondary labels: sweeps over a primary label's share, item classes, patterns."""
