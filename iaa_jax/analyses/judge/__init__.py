"""Whether a model, or another judge, may take the place of people, and how right everybody is."""
