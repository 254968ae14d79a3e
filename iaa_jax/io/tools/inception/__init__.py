"""INCEpTION and WebAnno: readers of their exports.

`agreement` reads the files of the agreement page. `webanno_tsv` and `uima` read documents with one
version per annotator (`layers`), inside or outside a project (`project`).
"""
