"""What a table of unknown layout is: every reading that is possible, scored by its values."""
