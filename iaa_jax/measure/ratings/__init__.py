"""Ratings opened once, and the data of coefficients that are made of them."""
