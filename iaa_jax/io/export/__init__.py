"""What exports of annotation tools come to: judgements, and ratings, spans or a table of them.

A tool's reader only says what stands in its files; what counts is decided here, once for all tools.
"""
