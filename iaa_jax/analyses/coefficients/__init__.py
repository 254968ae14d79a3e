"""Which coefficients there are, and what each of them is."""
