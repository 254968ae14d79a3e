"""Tables and records from results: they are given numbers and compute none."""
