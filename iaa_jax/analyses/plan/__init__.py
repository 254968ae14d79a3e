"""How many more items or annotators a target needs, and what the variance comes from."""
