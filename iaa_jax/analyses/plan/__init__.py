"""How many more items or annotators a target needs, and which sources the variance has."""
