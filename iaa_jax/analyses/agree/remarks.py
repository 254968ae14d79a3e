"""What to know beside the figures of agreement: the remarks of its page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from iaa_jax.catalog import CATALOG, title_of
from iaa_jax.measure.label_options import UNWEIGHTED
from iaa_jax.measure.words import OF_FIGURES, OF_RESULTS, QUESTIONS
from iaa_jax.pages import intervals
from iaa_jax.wording import Note, load_notes

if TYPE_CHECKING:
    import xarray as xr

_SEVERAL = 2
"""Coefficients that are named, also where a note is about all of them."""


def remarks_of(
    result: xr.Dataset,
    several: xr.Dataset | None,
    labels: Sequence[xr.Dataset],
    contingency: xr.Dataset | None,
    said: Sequence[str],
) -> Iterator[Note]:
    """What to know beside the figures, but for the reasons that were said above them."""
    attrs = result.attrs
    known = [("coefficient", "figures", several)] if several is not None else []
    known += [("label", each.attrs["coefficient"], each) for each in labels]
    for axis, about, each in known:
        yield from _undefined(each, axis, about, said)
        yield from _about(each, about)
    if several is not None:
        yield from _of_pairs(several)
    lost = [_undefined_replicates(each, axis, about) for axis, about, each in known]
    if several_lost := [figure for figures in lost for figure in figures]:
        yield Note("undefined_replicates", {"figures": several_lost})
    if contingency is not None:
        yield from _margins(contingency)
    if not attrs["labels_declared"] and attrs["task"] not in ("value", "spans"):
        yield Note("labels_from_data", {"labels": attrs["labels"]})
    if attrs["single_rated_items"]:
        yield Note("single_ratings")
    if several is not None:
        yield from _of_level(several)
    elsewhere = (*QUESTIONS, *OF_FIGURES)
    noted = (note for note in load_notes(attrs["notes"]) if note.code not in elsewhere)
    yield from (note for note in noted if not note.about)
    own = [each for *_, each in known if "random" in each]  # else those of all are said
    figures = (figure for each in own for figure in intervals.figures_of(each, title_of))
    yield from intervals.descriptions(attrs, figures) if own else intervals.description(attrs)
    if attrs["interval"] and any(_has_unexplained_gap(each) for *_, each in known):
        yield Note("without_interval")


def _undefined(result: xr.Dataset, axis: str, about: str, said: Sequence[str]) -> Iterator[Note]:
    """What is undefined, by reason."""
    groups: dict[tuple[str, float], list[str]] = {}
    for name, code, reason, estimate in zip(
        *(result[variable].values.tolist() for variable in (axis, "code", "reason", "estimate")),
        strict=True,
    ):
        if code:
            groups.setdefault((reason, -np.inf if np.isnan(estimate) else estimate), []).append(
                str(name)
            )
    for (reason, estimate), names in groups.items():
        figures, is_replaced = _named(about, names), not np.isinf(estimate)
        if is_replaced:
            values: dict[str, object] = {"reason": reason, "shown": estimate, "figures": figures}
            yield Note("undefined_replaced", values)
        elif reason not in said:
            yield Note("undefined", {"reason": reason, "figures": figures})
        elif len(names) > 1 or about != "figures":
            yield Note("undefined", {"reason": Note("reason_said"), "figures": figures})


def _about(result: xr.Dataset, about: str) -> Iterator[Note]:
    """What is noted of single figures, with their names before it."""
    for note in load_notes(result.attrs["notes"]):
        if note.code in OF_FIGURES:
            # what is about no label in particular is about the coefficient
            whole = _named("figures", [str(result.attrs.get("coefficient", ""))])
            figures = _named(about, note.about) if note.about else whole
            if about == "figures" and _SEVERAL < len(note.about) == result.sizes["coefficient"]:
                figures = Note("figures_all")
            yield Note("about", {"figures": figures, "note": note})
        elif note.about and note.code in OF_RESULTS:
            yield Note("about_result", {"figures": _named(about, note.about), "note": note})
        elif note.about:
            yield note


def _named(about: str, names: Iterable[str]) -> Note:
    """Figures by the titles of their coefficients, or by labels where they are about one."""
    if about == "figures":
        return Note(about, {"names": [title_of(name) for name in names]})
    title = title_of(about)
    title = title[:1].lower() + title[1:] if title[1:2].islower() else title
    return Note("figures_on_labels", {"coefficient": title, "names": list(names)})


def _of_pairs(result: xr.Dataset) -> Iterator[Note]:
    """Over how many pairs of annotators a mean goes."""
    groups: dict[tuple[int, int], list[str]] = {}
    for name, pairs, empty in zip(
        *(
            result[variable].values.tolist()
            for variable in ("coefficient", "pairs", "undefined_pairs")
        ),
        strict=True,
    ):
        if pairs >= 0:
            groups.setdefault((pairs, empty), []).append(name)
    for (pairs, empty), names in groups.items():
        left_out = Note("pairs_left_out", {"pairs": empty}) if empty else ""
        values = {"pairs": pairs, "left_out": left_out, "figures": _named("figures", names)}
        yield Note("over_pairs", values)


def _undefined_replicates(result: xr.Dataset, axis: str, about: str) -> list[Note]:
    """The figures with undefined replicates, and how many."""
    result = result.isel({axis: (result["code"] == 0) & (result["undefined_replicates"] > 0)})
    names, counts = result[axis].values.tolist(), result["undefined_replicates"].values.tolist()
    return [
        Note("figure_count", {"figure": _named(about, [str(name)]), "count": count})
        for name, count in zip(names, counts, strict=True)
    ]


def _margins(contingency: xr.Dataset) -> Iterator[Note]:
    """Annotators who use labels to other extents."""
    differ, pairs = contingency.attrs["pairs_differ"], contingency.sizes["pair"]
    if not differ:
        return
    if pairs > 1:
        yield Note("margins_differ", {"differ": differ, "pairs": pairs})
    elif "bias_index" not in contingency:
        p_value = float(contingency["stuart_p"].values[0])
        yield Note("margins_of_two_differ", {"p": p_value})


def _of_level(result: xr.Dataset) -> Iterator[Note]:
    """What a level or label sets mean for the coefficients beside alpha."""
    names = result["coefficient"].values.tolist()
    weights = dict(zip(names, result["weights"].values.tolist(), strict=True))
    levels = dict(zip(names, result["level"].values.tolist(), strict=True))
    for level in filter(None, dict.fromkeys(levels.values())):
        names_of_level = [name for name, each in levels.items() if each == level]
        if any(in_units(result, names.index(name)) for name in names_of_level):
            yield Note("in_units", {"level": level, "figures": _named("figures", names_of_level)})
    of_pairs = {row.name for row in CATALOG.values() if row.measure.label_sets}
    weights_of_sets = [each for name, each in weights.items() if name not in of_pairs]
    if (
        result.attrs["task"] == "multi_label"
        and weights_of_sets
        and all(map(UNWEIGHTED.__contains__, weights_of_sets))
    ):
        yield Note("sets_same_or_different")


def in_units(result: xr.Dataset, row: int) -> bool:
    """Whether observed and expected are squared distances of a level, not shares."""
    squared = result["weights"].values[row] == "numbers" or bool(result["level"].values[row])
    return squared and bool(min(result["observed"][row], result["expected"][row]) < 0)


def _has_unexplained_gap(result: xr.Dataset) -> bool:
    """Whether a figure has no interval, and nothing says why."""
    without = (result["code"].values == 0) & np.isnan(result["ci_low"].values)
    return bool((without & (result["note"].values == "")).any())
