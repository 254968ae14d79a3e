"""INCEpTION and WebAnno: readers of their exports."""
