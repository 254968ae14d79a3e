"""Infers the layout of an unknown table: possible readings are scored by names and cells."""
