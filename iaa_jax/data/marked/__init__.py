"""Spans as ratings: the item is a document, and a rating is all that an annotator marked in it.

`ratings` converts spans; `documents` passes their markings to `comparisons`, which compute the data
of coefficients on spans.
"""
