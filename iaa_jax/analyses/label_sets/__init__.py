"""Agreement on label sets as a whole, and on each label as present or absent."""
