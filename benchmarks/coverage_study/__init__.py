"""How often intervals hold the true coefficient: designs, simulation, and what follows from it."""
