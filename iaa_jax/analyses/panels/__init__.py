"""Every panel that could be made of the annotators, and what others in their place would change."""
