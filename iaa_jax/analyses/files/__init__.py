"""Which files are read, and what stands in them."""
