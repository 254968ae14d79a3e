"""How missing ratings could change a coefficient, and what weights of items can correct."""
