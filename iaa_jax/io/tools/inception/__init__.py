"""INCEpTION and WebAnno: what they export, by layers of spans, annotators and projects.

`agreement` reads the files of the agreement page, `webanno_tsv` and `uima` the documents, of which
each annotator has a version (`layers`), in a project or without one (`project`).
"""
