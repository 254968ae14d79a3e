"""How often each label is used."""
