"""Analyses: questions asked of any coefficient, by its name or as a function of the user's."""
