"""From the judgements in the exports of annotation tools to ratings, spans or a long table.

A tool's reader only reports what its files contain; what counts is decided here, once for all
tools.
"""
