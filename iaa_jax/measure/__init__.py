"""Coefficients on ratings: what is asked, what is random, and the result."""
