"""Disorder: what it takes to align what several annotators marked in a document.

`continua` holds units and their dissimilarities, `alignment` finds the best alignments, `chance`
draws what annotators could have marked by chance, and `figures` makes gamma's sums of them.
"""
