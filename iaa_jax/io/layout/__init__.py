"""Infers the layout of an unknown table: readings (options for a table) are scored by evidence."""
