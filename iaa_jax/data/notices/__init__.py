"""Notes on readings that may not be what the user meant, for files and for tables in Python."""
