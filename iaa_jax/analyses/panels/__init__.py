"""Every panel that annotators could form, and what others in their place would change."""
