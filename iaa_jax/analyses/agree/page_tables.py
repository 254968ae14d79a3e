"""Tables of the page of agreement: coefficients, levels, labels, parts of the ratings, indices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import xarray as xr

from iaa_jax.analyses.agree.asked import asked_columns
from iaa_jax.analyses.agree.declared import ALL
from iaa_jax.analyses.agree.remarks import in_units
from iaa_jax.catalog import CATALOG, NAMES, title_of
from iaa_jax.measure.figures import BEHIND, SAID
from iaa_jax.measure.label_options import UNWEIGHTED
from iaa_jax.pages import Column, Table, intervals
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.wording import Note, formats
from iaa_jax.wording.formats import decimals_for

LABELS_SHOWN = 20
"""Most labels that get a line of their own without being asked for."""


def parts_table(result: xr.Dataset, along: str, heading: str) -> Table:
    """Coefficients of each part of the ratings, one table of all."""
    rows = result.stack(row=(along, "coefficient"), create_index=False)
    rows = rows.isel(row=~np.isnan(rows["code"].values.astype(np.float64)))
    names = rows["coefficient"].values.tolist()
    single = len(set(names)) == 1
    columns = [
        Column(along, Note("part", {"name": heading}), rows[along].values, "label", brief="Part"),
        Column("coefficient", "", names, "word", in_files=True),
        Column("title", "Coefficient", [title_of(n) for n in names], "word", in_files=single),
    ]
    items = "group_items" if "group_items" in rows else "question_items"
    columns.append(FigureColumns(ALL, rows)(items, spare=1))
    columns += _figures(rows)
    every = FigureColumns(ALL, rows).with_the_rest(columns, "row", (*BEHIND, "group_ratings"))
    return Table("by" if along == "group" else "questions", every, noun=f"{along}s")


def levels_table(question: Note, result: xr.Dataset) -> Table:
    """A coefficient at each level that labels may be meant at."""
    rows = pd.DataFrame(question.listed("levels")).set_index("level").astype(np.float64)
    (name, *_) = result["coefficient"].values[result["level"].values != ""]
    columns = [
        Column("level", "Level", rows.index.tolist(), "word"),
        Column("estimate", title_of(str(name)), rows["estimate"].to_numpy()),
    ]
    if result.attrs["interval"]:
        ends = xr.Dataset.from_dataframe(rows).assign_attrs(result.attrs)
        columns.append(intervals.column(ends))
    return Table("levels", columns, noun="levels")


def of_distances(result: xr.Dataset) -> bool:
    """Whether labels are numbers of a scale, where exact matches were not asked for."""
    by_distance = {"interval", "ratio"} & {*result["level"].values.tolist()}
    return bool(by_distance) and result.attrs.get("leads") == "usual"


def coefficients_table(result: xr.Dataset) -> Table:
    """The table of coefficients, the one that leads first."""
    weights = result["weights"].values.tolist()
    names = result["coefficient"].values.tolist()
    columns = [
        Column("coefficient", "", names, "word", in_files=True),
        *_titles(names, weights),
    ]
    in_files = ["" if each in ("identity", "numbers") else each for each in weights]
    in_words = [formats.weights(each) for each in in_files]
    unusual = set(in_files) - set(UNWEIGHTED)
    caption: Note | str = ""
    if unusual:
        used = FigureColumns(ALL, result)("weights", spare=4)
        columns.append(replace(used, values=in_files, in_files=True))
        if len(set(in_words)) == 1:
            caption = Note("shared_weights", {"weights": in_words[0]})
        else:
            columns.append(replace(used, values=in_words, in_words=True))
    columns += _figures(result)
    columns += asked_columns(result)
    squared = [in_units(result, row) for row in range(len(names))]
    partly = any(
        used not in UNWEIGHTED and not hidden for used, hidden in zip(weights, squared, strict=True)
    )
    # where nothing takes chance out, observed agreement is the estimate once more
    alike = not any(_by_chance(names))
    for name, spare in (("observed", 8), ("expected", 9)):
        # squared distances in units of a level are no shares, and would widen the columns
        values = np.where(squared, np.nan, result[name].values)
        meaning = Note(name, {"partly": Note("near_misses") if partly else ""})
        column = replace(FigureColumns(ALL, result)(name, spare=spare), values=values)
        columns.append(replace(column, in_files=True))
        if not alike:
            # what takes no chance out has nothing that is expected
            seen = values if name == "observed" else np.where(_by_chance(names), values, np.nan)
            meant = None if np.isnan(seen).all() else meaning
            columns.append(replace(column, values=seen, meaning=meant, in_words=True))
    shown = [row for row, name in enumerate(names) if name != "percent_agreement"]
    rows = shown if of_distances(result) else None
    said = (*SAID, "word", "reached")
    every = FigureColumns(ALL, result).with_the_rest(columns, "coefficient", said)
    return Table("coefficients", every, caption, "coefficients", rows)


def _by_chance(names: Sequence[str]) -> list[bool]:
    """Whether coefficients take agreement by chance out."""
    return [name not in NAMES or CATALOG[NAMES[name]].beyond_chance for name in names]


def _titles(names: Sequence[str], weights: Sequence[str]) -> Iterator[Column]:
    """The titles of coefficients; on a page agreement is no percentage where some is partial."""
    titles: list[str] = [title_of(name) for name in names]
    column = Column("title", "Coefficient", titles, "word")
    partial = [
        name == "percent_agreement" and used not in UNWEIGHTED
        for name, used in zip(names, weights, strict=True)
    ]
    if not any(partial):
        yield column
        return
    said = [
        Note("weighted_agreement") if is_partial else title
        for title, is_partial in zip(titles, partial, strict=True)
    ]
    yield replace(column, in_files=True)
    yield replace(column, values=said, in_words=True)


def labels_table(result: xr.Dataset, top: int | None, *, unlike: bool = False) -> Table:
    """The table of labels; ``unlike`` where the coefficients above it count near misses."""
    columns = [Column("label", "Label", result["label"].values, "label")]
    figures = [*_figures(result, title_of(str(result.attrs["coefficient"])))]
    if unlike:
        figures[0] = replace(figures[0], meaning=Note("exact_matches"))
    every = FigureColumns(ALL, result).with_the_rest([*columns, *figures], "label", BEHIND)
    return Table("labels", every, "", "labels", top or LABELS_SHOWN)


def _figures(result: xr.Dataset, heading: str = "") -> Iterator[Column]:
    """Estimates, intervals and standard errors."""
    decimals = decimals_for(result["standard_error"].values)
    column = FigureColumns(ALL, result)
    yield column("estimate", heading=heading, decimals=decimals)
    if not result.attrs["interval"]:
        return
    yield intervals.column(result, decimals=decimals)
    error = result.attrs.get("interval_standard_error", "infinitesimal_jackknife")
    over = "_over_annotators" if result.attrs.get("sampling_annotators") == "random" else ""
    meaning = Note(f"standard_error{over}", {"form": str(error)})
    yield column("standard_error", decimals=decimals, spare=6, meaning=meaning)


def indices_table(contingency: xr.Dataset, heading: str) -> Table:
    """What stands behind the kappa of two annotators."""
    two_labels = "prevalence_index" in contingency
    p_value = float(contingency.get("mcnemar_exact_p", np.nan))
    bias = Note("bias") if np.isnan(p_value) else Note("bias_tested", {"p": p_value})
    rows = [
        ("Prevalence index", "prevalence_index", Note("prevalence")),
        ("Bias index", "bias_index", bias),
        ("Largest kappa", "kappa_max", Note("largest_kappa")),
        ("PABAK", "pabak", Note("pabak")),
    ]
    rows_with_value = [row for row in rows if two_labels or row[1] == "kappa_max"]
    return Table(
        "indices",
        [
            Column("index", heading, [title for title, _, _ in rows_with_value], "word"),
            Column("value", "Value", [float(contingency[name]) for _, name, _ in rows_with_value]),
            Column(
                "meaning", "", [meaning for _, _, meaning in rows_with_value], "text", in_words=True
            ),
        ],
        noun="indices",
    )
