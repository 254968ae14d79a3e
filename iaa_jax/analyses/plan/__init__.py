"""How many more items or annotators a target needs, and where variance comes from."""
