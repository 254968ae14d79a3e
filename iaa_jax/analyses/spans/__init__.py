"""How far annotators agree on spans: which stretches of text they mark, and with which label."""
