"""Whether agreement changes over time, or from batch to batch."""
