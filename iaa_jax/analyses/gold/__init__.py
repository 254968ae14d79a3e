"""What the best label of each item is, how sure that is, and how good each annotator."""
