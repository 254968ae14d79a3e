"""Cautions about readings that users may not have meant, for files and for tables in Python."""
