"""Requests for coefficients on one set of ratings: their data, and the range of each figure."""
