"""Whether a model, or another judge, may take the place of people, and everyone's accuracy."""
