"""Plain tables: their formats and their readers."""
