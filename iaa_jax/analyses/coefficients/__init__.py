"""The catalogue of coefficients, with an explanation of each."""
