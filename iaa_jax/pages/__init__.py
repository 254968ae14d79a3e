"""Pages that show results to people, and the code that writes them in each format.

The formats are terminal, HTML, Markdown, LaTeX, tables and pictures. A page computes nothing:
analyses fill it with texts and numbers. JSON files are written from the results behind a page.
"""

from __future__ import annotations

from iaa_jax.pages.blocks import (
    MOST_ROWS,
    USUAL_SHEET,
    Band,
    Block,
    Column,
    Curve,
    Facts,
    Mark,
    Paragraph,
    Passage,
    Passages,
    Picture,
    Remarks,
    SheetOptions,
    Table,
    Text,
    Underline,
    Verbatim,
    column_of,
)
from iaa_jax.pages.content import render
from iaa_jax.pages.page import Page

__all__ = [
    "MOST_ROWS",
    "USUAL_SHEET",
    "Band",
    "Block",
    "Column",
    "Curve",
    "Facts",
    "Mark",
    "Page",
    "Paragraph",
    "Passage",
    "Passages",
    "Picture",
    "Remarks",
    "SheetOptions",
    "Table",
    "Text",
    "Underline",
    "Verbatim",
    "column_of",
    "render",
]
