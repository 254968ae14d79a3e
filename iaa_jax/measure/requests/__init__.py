"""Requests: coefficients by name on ratings, with the range of their figures."""
