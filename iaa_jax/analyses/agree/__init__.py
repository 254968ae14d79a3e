"""How far annotators agree, how sure that is, and what stands behind it."""
