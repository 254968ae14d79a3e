"""Remarks (notes) below the tables on the page of agreement."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TypeAlias

import numpy as np
import xarray as xr

from iaa_jax.analyses.agree.page_tables import in_units
from iaa_jax.catalog import CATALOG, UNWEIGHTED, title_of
from iaa_jax.data.kind import Kind, kind_of
from iaa_jax.measure.words import OF_FIGURES, OF_RESULTS
from iaa_jax.pages import intervals
from iaa_jax.wording import Note, dump_notes, load_notes
from iaa_jax.wording.undecided import QUESTIONS

_SEVERAL = 2
"""A note on all coefficients names them only if there are at most this many."""


def remarks_of(
    result: xr.Dataset,
    coefficients: xr.Dataset | None,
    labels: Sequence[xr.Dataset],
    contingency: xr.Dataset | None,
    stated: Sequence[str],
) -> Iterator[Note]:
    """Yield the remarks, without the reasons that the page has ``stated`` already."""
    attrs = result.attrs
    parts = [("coefficient", "figures", coefficients)] if coefficients is not None else []
    parts += [("label", labelled.attrs["coefficient"], labelled) for labelled in labels]
    yield from _on_figures(parts, stated)
    if contingency is not None:
        yield from _margins(contingency)
    if not attrs["labels_declared"] and Kind(attrs["task"]).has_labels:
        yield Note("labels_from_data", {"labels": attrs["labels"]})
    if attrs["single_rated_items"]:
        yield Note("single_ratings")
    if coefficients is not None:
        yield from _level_notes(coefficients)
    yield from _on_all(result)
    # one remark describes all intervals if their methods are the same
    single = [part for *_, part in parts if "random" in part]
    figures = (figure for part in single for figure in intervals.figures_of(part, title_of))
    yield from intervals.descriptions(attrs, figures) if single else intervals.description(attrs)
    if attrs["interval"] and any(_has_unexplained_gap(part) for *_, part in parts):
        yield Note("without_interval")


def remarks_of_question(result: xr.Dataset, stated: Collection[str]) -> Iterator[Note]:
    """Yield the remarks on one of several questions, without notes with the codes ``stated``."""
    notes = [note for note in load_notes(result.attrs["notes"]) if note.code not in stated]
    result = result.assign_attrs(notes=dump_notes(notes))
    yield from _on_figures([("coefficient", "figures", result)], ())
    yield from _on_all(result)


_Parts: TypeAlias = Sequence[tuple[str, str, xr.Dataset]]
"""Results with their axis, and what their notes are about."""


def _on_figures(parts: _Parts, stated: Sequence[str]) -> Iterator[Note]:
    for axis, about, part in parts:
        yield from _undefined(part, axis, about, stated)
        yield from _about(part, about)
    for axis, _, part in parts:
        if axis == "coefficient":
            yield from _pair_notes(part)
    lost = [_undefined_replicates(part, axis, about) for axis, about, part in parts]
    if all_lost := [figure for figures in lost for figure in figures]:
        yield Note("undefined_replicates", {"figures": all_lost})


def _on_all(result: xr.Dataset) -> Iterator[Note]:
    elsewhere = (*QUESTIONS, *OF_FIGURES)
    noted = (note for note in load_notes(result.attrs["notes"]) if note.code not in elsewhere)
    yield from (intervals.with_titles(note) for note in noted if not note.about)


def _undefined(result: xr.Dataset, axis: str, about: str, stated: Sequence[str]) -> Iterator[Note]:
    """Yield notes on undefined estimates, by reason and by the value shown instead."""
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
        elif reason not in stated:
            yield Note("undefined", {"reason": reason, "figures": figures})
        elif len(names) > 1 or about != "figures":
            yield Note("undefined", {"reason": Note("reason_said"), "figures": figures})


def _about(result: xr.Dataset, about: str) -> Iterator[Note]:
    """Yield notes on certain coefficients or labels, most with their names."""
    for note in load_notes(result.attrs["notes"]):
        if note.code in OF_FIGURES:
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
    """Return a note that names coefficients ("figures"), or labels of a coefficient."""
    if about == "figures":
        return Note(about, {"names": [title_of(name) for name in names]})
    title = title_of(about)
    title = title[:1].lower() + title[1:] if title[1:2].islower() else title
    return Note("figures_on_labels", {"coefficient": title, "names": list(names)})


def _pair_notes(result: xr.Dataset) -> Iterator[Note]:
    """Yield notes on means over pairs of annotators."""
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
    """Return a note for each defined estimate with undefined replicates."""
    result = result.isel({axis: (result["code"] == 0) & (result["undefined_replicates"] > 0)})
    names, counts = result[axis].values.tolist(), result["undefined_replicates"].values.tolist()
    return [
        Note("figure_count", {"figure": _named(about, [str(name)]), "count": count})
        for name, count in zip(names, counts, strict=True)
    ]


def _margins(contingency: xr.Dataset) -> Iterator[Note]:
    """Yield a note if annotators' label frequencies differ and no bias index shows it."""
    differ, pairs = contingency.attrs["pairs_differ"], contingency.sizes["pair"]
    if not differ:
        return
    if pairs > 1:
        yield Note("margins_differ", {"differ": differ, "pairs": pairs})
    elif "bias_index" not in contingency:
        p_value = float(contingency["stuart_p"].values[0])
        yield Note("margins_of_two_differ", {"p": p_value})


def _level_notes(result: xr.Dataset) -> Iterator[Note]:
    names = result["coefficient"].values.tolist()
    weights = dict(zip(names, result["weights"].values.tolist(), strict=True))
    levels = dict(zip(names, result["level"].values.tolist(), strict=True))
    for level in filter(None, dict.fromkeys(levels.values())):
        names_of_level = [name for name, used in levels.items() if used == level]
        if any(in_units(result, names.index(name)) for name in names_of_level):
            yield Note("in_units", {"level": level, "figures": _named("figures", names_of_level)})
    of_pairs = {row.name for row in CATALOG.values() if row.measure.label_sets}
    weights_of_sets = [used for name, used in weights.items() if name not in of_pairs]
    if (
        kind_of(result.attrs) is Kind.SETS
        and weights_of_sets
        and all(map(UNWEIGHTED.__contains__, weights_of_sets))
    ):
        yield Note("sets_same_or_different")


def _has_unexplained_gap(result: xr.Dataset) -> bool:
    """Return whether a defined estimate has neither an interval nor a note."""
    without = (result["code"].values == 0) & np.isnan(result["ci_low"].values)
    return bool((without & (result["note"].values == "")).any())


def doubt_of(row: xr.Dataset) -> str:
    """Return the code of the doubt about a figure's interval; "" if there is none."""
    has_interval = float(row["ci_low"]) < float(row["ci_high"])
    return str(row["doubt"].item()) if has_interval and "doubt" in row else ""


def leading_first(result: xr.Dataset) -> xr.Dataset:
    """Return the result with the leading coefficient before the others."""
    others = result["coefficient"].values != result.attrs.get("coefficient")
    return result.isel(coefficient=np.argsort(others, kind="stable"))
