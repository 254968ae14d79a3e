"""What if the ratings that are missing would have differed: where the conclusion changes."""
