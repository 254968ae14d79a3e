"""Labels, annotators and items in a report."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from iaa_jax.analyses.diagnose.annotators import annotators as table_of_annotators
from iaa_jax.analyses.diagnose.items import items as table_of_items
from iaa_jax.analyses.diagnose.labels import labels as table_of_labels
from iaa_jax.analyses.diagnose.merges import MOST_LABELS, labels_merges
from iaa_jax.analyses.diagnose.page import annotators_page, items_page, labels_page
from iaa_jax.analyses.diagnose.page_of_merges import merges_page
from iaa_jax.data.kind import Kind
from iaa_jax.measure.sections import Asked
from iaa_jax.pages import MOST_ROWS, Page, Remarks, Table
from iaa_jax.wording import Note
from iaa_jax.wording.undecided import UNDECIDED

_ROUNDING = 1e-9
"""How far from 1 agreement may be where all agree."""


def labels(asked: Asked) -> Page | None:
    """Agreement on each label, and which are taken for one another; sets have their own section."""
    if not asked.has_labels or asked.kind is Kind.SETS:
        return None
    return labels_page(table_of_labels(asked.ratings, asked.coefficient, **asked.how))


def merges(asked: Asked) -> Page | None:
    """Labels to merge, where there are any: only then is there something to say."""
    if asked.kind is not Kind.LABELS or not 3 <= len(asked.ratings.label_names) <= MOST_LABELS:
        return None
    result = labels_merges(asked.ratings, asked.coefficient, **asked.how)
    return merges_page(result) if result.attrs["conclusion"] in ("merge", UNDECIDED) else None


def annotators(asked: Asked) -> Page | None:
    """Everyone against the others; nothing of two, or of people who are not known."""
    if asked.ratings.anonymous or asked.ratings.annotators < 3:
        return None
    return annotators_page(table_of_annotators(asked.ratings, asked.coefficient, **asked.how))


def items(asked: Asked) -> Page:
    """How items are distributed over agreement, and the most disputed with what each was given."""
    of_labels = asked.kind.has_labels
    ratings = asked.ratings
    if (
        asked.kind is Kind.SPANS
    ):  # whose section shows the passages of these texts that are disputed
        ratings = ratings.without_coordinates(["text"])
    if not asked.texts:
        ratings = ratings.without_coordinates(
            name for name in ratings.along("item") if name != "item"
        )
    page = items_page(
        table_of_items(
            ratings, asked.coefficient, votes=of_labels, label_options=asked.label_options
        )
    )
    (result,) = page.results.values()
    figure = "agreement" if "agreement" in result else "disagreement"
    values = result[figure].values[np.argsort(result["rank"].values)]
    differ = values < 1 - _ROUNDING if figure == "agreement" else values > 0
    disputed = np.flatnonzero(differ)[:MOST_ROWS].tolist()
    blocks = [
        replace(block, shown=disputed, notes=(), in_files=not disputed)
        if isinstance(block, Table)
        else block
        for block in page.blocks
    ]
    if of_labels and disputed:
        blocks.append(Remarks([Note("sheet")]))
    return replace(page, blocks=blocks)
