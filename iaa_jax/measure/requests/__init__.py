"""Requests to measure coefficients on one set of ratings: their data, and their possible range."""
