"""Scores of judged items, corrected by the items that people rated."""
