"""Converts the judgements in tools' exports to ratings, spans or a long table.

A tool's reader only reports the content of its files. Which judgements count is decided here, in
the same way for all tools.
"""
