"""Whether a model, or another judge, may replace people, and how accurate every annotator is."""
