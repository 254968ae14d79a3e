"""Delimited text files: what every reader of plain tables shares."""
