"""Spans as ratings: an item is a document, and a rating is all that an annotator marked in it.

Such a rating is called a marking.
"""
