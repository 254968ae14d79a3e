"""Disorder: the cost of aligning the units of several annotators of a document.

`continua` holds units and their dissimilarities, `alignment` finds the best alignments, `chance`
draws what annotators could have marked by chance, and `figures` sums them up for gamma.
"""
