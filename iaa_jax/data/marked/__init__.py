"""Spans as ratings: the item is a document, and a rating is all that an annotator marked in it.

`ratings` makes them of spans; `documents` gives their markings to `comparisons`, which count what
coefficients of spans are made of.
"""
