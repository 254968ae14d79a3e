"""Infers the layout of an unknown table: ways to read it are scored by names and cells."""
