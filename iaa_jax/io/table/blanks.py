"""Replaces blank cells by a label."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from iaa_jax._errors import OptionError
from iaa_jax._types import Integers
from iaa_jax.data.factorize import Column
from iaa_jax.io.base import Options
from iaa_jax.wording import Note, keyword

_OPPOSITES = {"1": "0", "true": "false", "t": "f", "y": "n"}


def with_blanks(
    answers: Column, empty: NDArray[np.bool_], raters: Integers | None, options: Options
) -> tuple[Column, list[Note]]:
    """Put the label ``options.blank`` in place of blank cells; return a note that counts them.

    Cells of annotators who gave no label at all stay empty.

    Raises
    ------
    OptionError
        If no annotator who gave labels has a blank cell.
    """
    codes, distinct = np.asarray(answers[0], dtype=np.int64), list(answers[1])
    if raters is not None:
        gave = np.zeros(int(raters.max(initial=0)) + 1, dtype=bool)
        gave[raters[codes >= 0]] = True
        empty = empty & gave[raters]
    label = str(options.blank).strip()
    cells = int(np.count_nonzero(empty))
    if not cells:
        raise OptionError(
            f"{keyword('blank', label)} has no effect: no annotator who gave labels has a blank "
            "cell"
        )
    are_lists = bool(distinct) and all(str(cell).startswith("[") for cell in distinct)
    cell = json.dumps([label]) if are_lists and not label.startswith("[") else label
    if cell not in distinct:
        distinct.append(cell)
    are_none = label in (options.separator, "[]" if options.separator is None else "")
    code = "read_blanks_none" if are_none else "read_blanks"
    note = Note(code, {"cells": cells, "label": label})
    return (np.where(empty, distinct.index(cell), codes), distinct), [note]


def notes_on_ticks(
    filled: Sequence[object], empty: Callable[[], NDArray[np.bool_]], options: Options
) -> list[Note]:
    """Return a warning if all filled cells have one value, so that blanks may mean the opposite."""
    texts = [str(cell) for cell in filled]
    if options.blank is not None or options.labels is not None:
        return []
    if len({text.casefold() for text in texts}) != 1 or not (cells := int(empty().sum())):
        return []
    merged = Note("ticks_merged") if len(texts) > 1 and "case" not in options.merge_labels else None
    blank = _OPPOSITES.get(texts[0].casefold(), "no")
    values = {"label": texts[0], "blank": blank, "also": merged, "cells": cells}
    return [Note("ticks", values, "caution")]
