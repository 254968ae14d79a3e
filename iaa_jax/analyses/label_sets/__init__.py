"""Label sets as a whole, and each label as present or absent."""
