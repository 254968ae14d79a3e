"""Which coefficients there are, and what each is."""
