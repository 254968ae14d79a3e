"""Spans as ratings: an item is a document, and a rating is all that an annotator marked in it.

Such a rating is called a marking. The module `ratings` converts spans to ratings, `documents`
collects the markings of documents, and `comparisons` computes from these markings the data of
coefficients on spans.
"""
