"""Find coordinates of items that hold free text, such as the rated text, not ids or categories."""

from __future__ import annotations

import numpy as np
import pandas as pd
import xarray as xr

from iaa_jax._types import Values

_LOOKED_AT = 5_000
"""Maximum number of cells that are examined to decide what a column contains."""

_WORDS, _LETTERS, _SIGNS = 3, 15, 8
"""Minimum medians per text: of words and of characters or, in scripts without blanks, of
characters.
"""

_NO_BLANKS = "\u2e80"
"""First character, in Unicode's order, of East Asian scripts, which are mostly without blanks."""

_DISTINCT = 0.5
"""Minimum share of distinct texts in a column of free texts."""


def free_texts(ratings: xr.Dataset) -> list[str]:
    """Return the names of the coordinates along items that hold free text, in their order."""
    return [
        str(name)
        for name, column in ratings.coords.items()
        if column.dims == ("item",) and name != "item" and is_free_text(column.values)
    ]


def is_free_text(values: Values) -> bool:
    """Tell whether values are texts of several words that mostly differ.

    Up to half of the values may be empty. In East Asian scripts, characters count, not words.

    Examples
    --------
    >>> is_free_text(np.array(["this is one text", "and here is another"], dtype=object))
    True
    >>> is_free_text(np.array(["02.03.2026 10:52 UTC", "17 03 2026 11:07 UTC"], dtype=object))
    False
    """
    if values.dtype.kind not in "OU":
        return False
    cells = values.ravel()[:_LOOKED_AT].tolist()
    texts = [text.strip() for text in cells if isinstance(text, str) and text.strip()]
    distinct = pd.unique(np.array(texts, dtype=object))
    if len(texts) < max(2, len(cells) / 2) or len(distinct) < _DISTINCT * len(texts):
        return False
    words = np.median([sum(map(_is_word, text.split())) for text in texts])
    letters = np.median([len(text) for text in texts])
    signs = np.median([sum(sign >= _NO_BLANKS for sign in text) for text in texts])
    return bool((words >= _WORDS and letters >= _LETTERS) or signs >= _SIGNS)


def _is_word(part: str) -> bool:
    """Tell whether a part of a text has letters, which most parts of dates and numbers lack."""
    return any(map(str.isalpha, part))
