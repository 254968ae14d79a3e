"""The layout of an unknown table: every possible reading, scored by the values in the table."""
