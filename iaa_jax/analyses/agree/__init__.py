"""How far annotators agree, how certain that is, and what explains it."""
