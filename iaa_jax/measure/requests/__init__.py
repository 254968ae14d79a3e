"""Requests for coefficients: the data of each for one set of ratings, and the figure's range."""
