"""How far annotators agree, how certain that is, and what lies behind it."""
