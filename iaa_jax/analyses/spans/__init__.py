"""How far annotators agree on spans: the stretches of text they mark, and their labels."""
