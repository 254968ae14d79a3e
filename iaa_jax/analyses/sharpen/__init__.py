"""How much each annotator and each item counts, so that labels are those of the most reliable."""
