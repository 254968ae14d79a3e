"""Spans as ratings: an item is a document, and a rating (a marking) is all that is marked.

The module `ratings` converts spans to ratings, `documents` collects the markings of documents, and
`comparisons` computes from these markings the data of coefficients on spans.
"""
