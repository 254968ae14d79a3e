"""Shows which items, annotators and labels cause the disagreement."""
