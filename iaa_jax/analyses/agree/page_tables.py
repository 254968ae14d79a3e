"""Tables on the page of agreement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import xarray as xr

from iaa_jax.analyses.agree.declared import ALL
from iaa_jax.analyses.agree.words import METHODS
from iaa_jax.catalog import CATALOG, NAMES, UNWEIGHTED, title_of
from iaa_jax.data.kind import Kind
from iaa_jax.measure.figures import BEHIND, SAID
from iaa_jax.pages import Column, Table, intervals
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.wording import Note, formats
from iaa_jax.wording.formats import decimals_for

LABELS_SHOWN = 20

_ROUNDING = 1e-9


def parts_table(result: xr.Dataset, along: str, heading: str) -> Table:
    """Return the table of coefficients by group or question."""
    rows = result.stack(row=(along, "coefficient"), create_index=False)
    rows = rows.isel(row=~np.isnan(rows["code"].values.astype(np.float64)))
    names = rows["coefficient"].values.tolist()
    single = len(set(names)) == 1
    weights, levels = rows["weights"].values.tolist(), {*rows["level"].values.tolist()}
    titles = [*map(title_of, names, weights)]
    columns = [
        Column(along, Note("part", {"name": heading}), rows[along].values, "label", brief="Part"),
        Column("coefficient", "", names, "word", in_files=True),
        Column("title", "Coefficient", titles, "word", in_files=single),
    ]
    if len({*zip(names, weights, strict=True)}) > len({*names}):  # different levels
        heading = ("Level or weights" if any(levels) else "Weights") if "" in levels else "Level"
        used = [*map(formats.weights, weights)]
        columns.append(Column("scale", heading, used, "word", spare=4, in_words=True))
    every, pairable = f"{along}_items", f"{along}_pairable_items"
    measured = f"{along}_measured_items" if f"{along}_measured_items" in rows else pairable
    differ = bool((rows[every].values != rows[measured].values).any())
    fewer = bool((rows[pairable].values != rows[measured].values).any())
    meaning = Note("items_measured", {"fewer": Note("items_fewer") if fewer else ""})
    columns.append(
        FigureColumns(ALL, rows)(
            measured, heading="Items", spare=1, meaning=meaning if differ else None
        )
    )
    columns += _figures(rows)
    id, behind = (
        "by" if along == "group" else "questions",
        (*BEHIND, every, pairable, "group_ratings"),
    )
    return FigureColumns(ALL, rows).table(id, columns, "row", noun=f"{along}s", beside=behind)


def levels_table(question: Note, result: xr.Dataset) -> Table:
    """Return the table of a coefficient at each possible level of measurement."""
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


def measures_distances(result: xr.Dataset) -> bool:
    """Return whether the default coefficients compare labels by distance (interval, ratio)."""
    by_distance = {"interval", "ratio"} & {*result["level"].values.tolist()}
    return bool(by_distance) and result.attrs.get("leads") == "usual"


def coefficients_table(result: xr.Dataset) -> Table:
    """Return the table of coefficients, in the order of the result."""
    weights = result["weights"].values.tolist()
    names = result["coefficient"].values.tolist()
    columns = [
        Column("coefficient", "", names, "word", in_files=True),
        Column("title", "Coefficient", [*map(title_of, names, weights)], "word"),
    ]
    in_files = ["" if used in ("identity", "numbers") else used for used in weights]
    in_words = [formats.weights(used) for used in in_files]
    unusual = set(in_files) - set(UNWEIGHTED)
    caption: Note | str = ""
    if unusual:
        used = FigureColumns(ALL, result)("weights", spare=4)
        columns.append(replace(used, values=in_files, in_files=True))
        if len(set(in_words)) == 1:
            of_level = result["level"].values != ""
            mixed = "level_or_weights" if of_level.any() else "weights"
            shared = "level" if of_level.all() else mixed
            caption = Note(f"shared_{shared}", {"weights": in_words[0]})
        else:
            columns.append(replace(used, values=in_words, in_words=True))
    columns += _figures(result)
    columns += _asked_columns(result)
    squared = [in_units(result, row) for row in range(len(names))]
    partly = any(
        used not in UNWEIGHTED and not hidden for used, hidden in zip(weights, squared, strict=True)
    )
    # without a correction for chance, observed agreement repeats the estimate
    repeats_estimate = not any(_by_chance(names))
    for name, spare in (("observed", 8), ("expected", 9)):
        # 1 minus a squared distance is no share, and would widen the columns
        values = np.where(squared, np.nan, result[name].values)
        known = values[~np.isnan(values)]
        differ = bool(known.size) and np.ptp(known) > _ROUNDING
        parts = {"partly": Note("near_misses") if partly else ""}
        meaning = Note(name, {**parts, "weighted": Note("items_weighted") if differ else ""})
        column = replace(FigureColumns(ALL, result)(name, spare=spare), values=values)
        columns.append(replace(column, in_files=True))
        if not repeats_estimate:
            shown = values if name == "observed" else np.where(_by_chance(names), values, np.nan)
            footnote = None if np.isnan(shown).all() else meaning
            columns.append(replace(column, values=shown, meaning=footnote, in_words=True))
    in_distances = [row for row, name in enumerate(names) if name != "percent_agreement"]
    rows = in_distances if measures_distances(result) else None
    stated, of_result = (*SAID, "word", "reached"), FigureColumns(ALL, result)
    return of_result.table(
        "coefficients", columns, "coefficient", caption, shown=rows, beside=stated
    )


def _by_chance(names: Sequence[str]) -> list[bool]:
    """Return which coefficients correct for chance, or are users' functions."""
    return [name not in NAMES or CATALOG[NAMES[name]].beyond_chance for name in names]


def labels_table(result: xr.Dataset, top: int | None, *, exact_only: bool = False) -> Table:
    """Return the table of labels.

    ``exact_only`` adds a footnote on exact matches.
    """
    columns = [Column("label", "Label", result["label"].values, "label")]
    name = str(result.attrs["coefficient"])
    figures = [*_figures(result, title_of(name))]
    if exact_only:
        figures[0] = replace(figures[0], meaning=Note("exact_matches"))
    elif Kind(result.attrs["task"]).has_one_label and not all(_by_chance([name])):
        figures[0] = replace(figures[0], meaning=Note("uncorrected"))
    of_result, shown = FigureColumns(ALL, result), top or LABELS_SHOWN
    return of_result.table("labels", [*columns, *figures], "label", shown=shown, beside=BEHIND)


def _figures(result: xr.Dataset, heading: str = "") -> Iterator[Column]:
    """Yield columns of estimates, intervals and standard errors."""
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
    """Return the table of indices that explain a kappa."""
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


def _asked_columns(result: xr.Dataset) -> Iterator[Column]:
    """Yield requested columns: verbal grades, p-values, and probabilities above cut-offs."""
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
        meaning = Note("by_chance", {"how": named, "least": least_by_chance(result) or ""})
        yield column("zero_p_value", meaning=meaning)
    if "above" in result:
        random = attrs.get("sampling_annotators") == "random"
        meaning = Note("above_over_annotators") if random else _above_over_items(result)
        for index, cut_off in enumerate(result["cut_off"].values.tolist()):
            yield Column(
                f"above_{cut_off:g}",
                f"P > {cut_off:g}",
                result["above"].values[:, index],
                "probability",
                meaning=None if index else meaning,
            )


def _above_over_items(result: xr.Dataset) -> Note:
    """Return a note on the draws behind the probabilities above cut-offs."""
    known = result.isel(coefficient=result["above"].notnull().any("cut_off").values)
    of_prior = known["interval"].values == "empirical_bayes"
    others = known["coefficient"].values[~of_prior].tolist()
    figures = Note("figures", {"names": [*map(title_of, others)]})
    without = Note("above_without_item", {"figures": figures}) if others else ""
    draws = "empirical_bayes" if of_prior.any() else "over_items"
    return Note(f"above_{draws}", {"without": without})


def least_by_chance(result: xr.Dataset) -> Note | None:
    """Return a note if a p-value is the smallest that permutations can give."""
    permutations = int(result.attrs.get("zero_permutations", 0))
    least = 1 / (permutations + 1)
    of_permutations = ["permutation" in how for how in result["zero_method"].values.tolist()]
    if not np.any(np.isclose(result["zero_p_value"].values, least) & of_permutations):
        return None
    return Note("least_by_chance", {"least": least, "permutations": permutations})


def in_units(result: xr.Dataset, row: int) -> bool:
    """Return whether observed or expected agreement by squared distances is negative."""
    squared = result["weights"].values[row] == "numbers" or bool(result["level"].values[row])
    return squared and bool(min(result["observed"][row], result["expected"][row]) < 0)
