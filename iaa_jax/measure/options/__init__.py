"""The options of functions and commands, each declared once."""
