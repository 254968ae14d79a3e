"""Weight annotators by their agreement with the others, and decide labels by these weights."""
