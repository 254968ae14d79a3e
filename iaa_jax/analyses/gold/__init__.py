"""The best label of each item, how certain it is, and how good each annotator is."""
