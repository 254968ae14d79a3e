"""The tables of a comparison: coefficients, labels, and estimates with equally frequent labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np
import xarray as xr

from iaa_jax._types import Attributes, Columns
from iaa_jax.analyses.compare.by_interval import ADDED, BOUNDED
from iaa_jax.analyses.compare.conclusions import ComparedRow, by_size, rows_of
from iaa_jax.analyses.compare.declared import ALL
from iaa_jax.analyses.compare.study import USUAL
from iaa_jax.catalog import title_of
from iaa_jax.pages import Column, Table, column_of
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.wording import Note
from iaa_jax.wording.figures import by_name
from iaa_jax.wording.formats import decimals_for

LABELS_SHOWN = 10
"""Maximum number of labels in the table."""

_FIGURE = by_name(ALL)


def coefficients_table(results: Sequence[xr.Dataset], rows: Sequence[ComparedRow]) -> Table:
    """Return the table of coefficients: ``rows``, then the rows of further results."""
    result, *further = results
    rows = [*rows, *chain.from_iterable(map(rows_of, further))]
    attrs, of = result.attrs, _columns(rows)
    names = [str(name) for name in of["coefficient"]]
    columns = [
        Column("coefficient", "", names, "word", in_files=True),
        Column("title", "Coefficient", [row.title for row in rows], "label"),
        *_set_columns(of, attrs, "ci", "interval_heading"),
    ]
    p_value = column_of(_FIGURE["p_value"], of["p_value"])
    columns.append(replace(p_value, meaning=_meaning_of_p(rows, attrs)))
    if attrs["family"] and {*result["coefficient"].values.tolist()} != {*USUAL}:
        values = {"count": len(names), "family": Note(f"family_{attrs['family']}")}
        adjusted = column_of(_FIGURE["adjusted_p_value"], of["adjusted_p_value"])
        columns.append(replace(adjusted, spare=2, meaning=Note("adjusted", values)))
    together = xr.concat(results, "coefficient", combine_attrs="override", join="outer")
    every = FigureColumns(ALL, together.sel(coefficient=names))
    # estimates at equal label rates have a table of their own
    in_files = ("adjusted_p_value", "common_difference", "common_p_value")
    return every.table("coefficients", columns, "coefficient", beside=in_files)


def labels_table(labels: xr.Dataset) -> Table:
    """Return the table of labels, by falling difference."""
    rows = by_size(rows_of(labels))
    attrs, of = labels.attrs, _columns(rows)
    joint = bool(attrs["family"])
    title = title_of(str(attrs["coefficient"]))
    what = "label_of_units" if attrs.get("label_shares_of") == "units" else "label"
    together = {"count": len(rows), "family": Note(f"family_{attrs['family']}")}
    columns = [
        Column("label", "Label", of["label"], "label", meaning=Note(what, {"title": title})),
        *(_jointly(of, attrs) if joint else _set_columns(of, attrs, "band", "interval_heading")),
        replace(
            column_of(_FIGURE["adjusted_p_value"], of["adjusted_p_value"]),
            heading="Adjusted p" if joint else "p",
            meaning=Note("adjusted_of_labels", together) if joint else None,
        ),
    ]
    every = FigureColumns(ALL, labels.sel(label=of["label"]))
    return every.table("labels", columns, "label", shown=LABELS_SHOWN, beside=["p_value"])


def _jointly(of: Mapping[str, np.ndarray], attrs: Attributes) -> Iterator[Column]:
    meaning = Note("jointly_meaning", {"labels": len(of["label"])})
    for column in _set_columns(of, attrs, "band", "interval_jointly"):
        yield replace(column, meaning=meaning) if column.kind == "interval" else column


def common_margins_table(result: xr.Dataset, rows: Sequence[ComparedRow]) -> Table:
    """Return the table of coefficients at equal label frequencies."""
    attrs, of = result.attrs, _columns(rows)
    titles = [row.title for row in rows]
    common = {
        name.replace("common_", "estimate_" if name in ("common_a", "common_b") else ""): values
        for name, values in of.items()
        if name.startswith("common_")
    }
    columns = [
        Column("title", "At equal label rates", titles, "label"),
        *_set_columns({**common, "conclusion": of["conclusion"]}, attrs, "ci", "interval_heading"),
    ]
    effective: dict[str, object] = {x: attrs[f"pairable_items_{x}"] for x in "ab"}
    effective |= {f"effective_{x}": round(attrs[f"effective_items_{x}"]) for x in "ab"}
    return Table("common_margins", columns, notes=[Note("on_common_margins", effective)])


def _columns(rows: Sequence[ComparedRow]) -> Columns:
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def _set_columns(
    of: Mapping[str, np.ndarray], attrs: Attributes, ends: str, heading: str
) -> Iterator[Column]:
    decimals = decimals_for(of["standard_error"])
    for letter in "ab":
        key, above = f"estimate_{letter}", Note("set_name", {"name": attrs[f"name_{letter}"]})
        yield Column(
            key, above, of[key], "estimate", decimals, brief=letter.upper(), named_above=True
        )
    yield replace(column_of(_FIGURE["difference"], of["difference"]), decimals=decimals)
    both = np.column_stack([of[f"{ends}_low"], of[f"{ends}_high"]])
    both[of["conclusion"] == "unreliable"] = np.nan
    if not np.isnan(both).all():
        above = Note(heading, {"confidence": attrs["confidence"]})
        yield Column(ends, above, both, "interval", decimals)


def _meaning_of_p(rows: Sequence[ComparedRow], attrs: Attributes) -> Note | None:
    """Return a note on the p-values of a table."""
    alpha = {"alpha": round(1 - attrs["confidence"], 10)}
    codes = {"empirical_bayes": "p_of_posterior"} | dict.fromkeys((BOUNDED, ADDED), "p_of_bound")
    own = [row for row in rows if str(row["interval"]) in codes and not _is_by_permutation(row)]
    kinds = dict.fromkeys(codes[str(row["interval"])] for row in own if not _is_untested(row))
    parts = [Note(code, alpha) for code in kinds]
    tests = _meaning_of_tests([row for row in rows if row not in own], attrs)
    parts += [] if tests is None else [tests]
    if len(parts) < 2:
        return parts[0] if parts else None
    return Note("p_of_several", {"parts": parts})


def _is_by_permutation(row: ComparedRow) -> bool:
    return bool(row["p_value"] == row["permutation_p_value"])


def _is_untested(row: ComparedRow) -> bool:
    return bool(np.isnan(row.number("p_value")))


def _meaning_of_tests(rows: Sequence[ComparedRow], attrs: Attributes) -> Note | None:
    """Return a note on p-values from permutations and standard errors."""
    exchanged = [_is_by_permutation(row) for row in rows]
    others = any(
        not (_is_untested(row) or by_exchange)
        for row, by_exchange in zip(rows, exchanged, strict=True)
    )
    few_units = "sampling_cluster" in attrs or "sampling_annotators" in attrs
    law = {"law": "Student's t" if few_units else "normal"}
    if not any(exchanged):
        return Note("p_value", law) if others else None
    if "sampling_annotators" in attrs:
        return Note("p_of_regrouping")
    unit, units = "an item", "items"
    if "sampling_cluster" in attrs:
        unit, units = "a cluster", "whole clusters"
    code = "exchanged_sides" if attrs["paired"] else "exchanged_anew"
    values = {
        "exchanged": Note(code, {"unit": unit, "units": units}),
        "permutations": attrs["permutations"],
        "law": Note("p_of_others", law) if others else "",
    }
    return Note("p_of_exchange", values)
