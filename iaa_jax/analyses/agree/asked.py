"""Columns of agreement that were asked for: words, tests of zero agreement, probabilities."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from iaa_jax.analyses.agree.declared import ALL
from iaa_jax.analyses.agree.words import METHODS
from iaa_jax.pages import Column
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.wording import Note

if TYPE_CHECKING:
    import xarray as xr


def asked_columns(result: xr.Dataset) -> Iterator[Column]:
    """Words, tests of zero agreement, and probabilities, where they were asked for."""
    attrs, column = result.attrs, FigureColumns(ALL, result)
    if "word" in result:
        name = "reached" if attrs["interval"] else "word"
        scale = {
            key: attrs[key] for key in ("certainty", "scale_title", "made_for") if key in attrs
        }
        words = [word or "-" for word in result[name].values.tolist()]
        yield replace(column(name, meaning=Note(name, scale)), values=words)
    if "zero_p_value" in result:
        methods = dict.fromkeys(filter(None, result["zero_method"].values.tolist()))
        named = [Note(name) if name in METHODS else name for name in methods]
        meaning = Note("by_chance", {"how": named, "least": _least_by_chance(result)})
        yield column("zero_p_value", meaning=meaning)
    if "above" in result:
        random = attrs.get("sampling_annotators") == "random"
        posterior = set(result["interval"].values.tolist()) == {"empirical_bayes"}
        over_items = "above_empirical_bayes" if posterior else "above_over_items"
        meaning = Note("above_over_annotators" if random else over_items)
        for index, cut_off in enumerate(result["cut_off"].values.tolist()):
            yield Column(
                f"above_{cut_off:g}",
                f"P > {cut_off:g}",
                result["above"].values[:, index],
                "probability",
                meaning=None if index else meaning,
            )


def _least_by_chance(result: xr.Dataset) -> Note | str:
    """The smallest p-value that permutations can give, where a figure has it."""
    permutations = int(result.attrs.get("zero_permutations", 0))
    least = 1 / (permutations + 1)
    of_permutations = ["permutation" in how for how in result["zero_method"].values.tolist()]
    if not np.any(np.isclose(result["zero_p_value"].values, least) & of_permutations):
        return ""
    return Note("least_by_chance", {"least": least, "permutations": permutations})
