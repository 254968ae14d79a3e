"""Compute the disorder of documents: the cost of aligning the units of several annotators.

The module `continua` defines units and their dissimilarities, `candidates` and `alignment` find the
best alignments, `chance` draws what annotators could have marked by chance, and `figures` computes
the data of gamma from the disorders.
"""
