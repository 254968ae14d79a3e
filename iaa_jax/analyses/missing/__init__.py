"""What if missing ratings had differed: where the conclusion changes."""
