"""Which items, annotators and labels cause the disagreement."""
