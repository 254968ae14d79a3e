"""Options for spans: which spans are read, and how spans count if they are marked twice."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from iaa_jax._errors import OptionError
from iaa_jax.cli import choices, options
from iaa_jax.cli.grouping import joined
from iaa_jax.cli.groups import (
    AFTER_READING,
    OF_SPAN_RATINGS,
    OF_SPANS,
    InputOptions,
    reading_of,
    shared,
)
from iaa_jax.cli.options import COLUMNS, RATINGS
from iaa_jax.wording import keyword

MARKED_TWICE = ("set", "multiset")
"""Whether spans that an annotator marked twice count once or twice, as in `iaa_jax.span_f1`."""


def _reading_and_marks(
    columns: options.ColumnOptions,
    ratings: options.RatingOptions,
    files: options.Files,
    duplicates: Annotated[
        str,
        options.option(
            RATINGS,
            "NAME",
            f"If an annotator rated a document twice: {', '.join(choices.DUPLICATES)}; and "
            "identical spans count once (set) or each (multiset), as in 'first,multiset'.",
        ),
    ] = "error",
) -> tuple[InputOptions, str]:
    known = (*choices.DUPLICATES, *MARKED_TWICE)
    names = choices.several_of(duplicates, known, "--duplicates") or []
    rated = [name for name in names if name in choices.DUPLICATES]
    marked = [name for name in names if name in MARKED_TWICE]
    for choices_of_one in (rated, marked):
        if len(choices_of_one) > 1:
            raise OptionError(
                f"{keyword('duplicates', duplicates)}: give one of {' and '.join(choices_of_one)}"
            )
    rated, marked = rated or ["error"], marked or ["set"]
    return reading_of(columns, replace(ratings, duplicates=rated[0]), files), marked[0]


span_options = joined(
    _reading_and_marks,
    shared(options.ColumnOptions, COLUMNS, *OF_SPANS),
    shared(
        options.RatingOptions,
        RATINGS,
        *(name for name in (*OF_SPAN_RATINGS, *AFTER_READING) if name != "duplicates"),
    ),
)
