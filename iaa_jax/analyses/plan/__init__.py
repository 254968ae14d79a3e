"""How many more items or annotators a target needs."""
