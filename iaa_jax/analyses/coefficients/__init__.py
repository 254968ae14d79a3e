"""The catalogue of coefficients, and what each is."""
