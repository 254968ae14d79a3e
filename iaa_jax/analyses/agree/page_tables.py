"""Tables on the page of agreement, and the remarks (notes) below them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import xarray as xr

from iaa_jax.analyses.agree.declared import ALL
from iaa_jax.analyses.agree.words import METHODS
from iaa_jax.catalog import CATALOG, NAMES, UNWEIGHTED, title_of
from iaa_jax.data.kind import Kind, kind_of
from iaa_jax.measure.figures import BEHIND, SAID
from iaa_jax.measure.words import OF_FIGURES, OF_RESULTS
from iaa_jax.pages import Column, Table, intervals
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.wording import Note, formats, load_notes
from iaa_jax.wording.formats import decimals_for
from iaa_jax.wording.undecided import QUESTIONS

LABELS_SHOWN = 20

_SEVERAL = 2
"""A note on all coefficients names them only if there are at most this many."""

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
    every, measured = f"{along}_items", f"{along}_pairable_items"
    differ = bool((rows[every].values != rows[measured].values).any())
    meaning = Note("items_measured") if differ else None
    columns.append(FigureColumns(ALL, rows)(measured, heading="Items", spare=1, meaning=meaning))
    columns += _figures(rows)
    id, behind = "by" if along == "group" else "questions", (*BEHIND, every, "group_ratings")
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
    without = Note("above_without_item", {"figures": _named("figures", others)}) if others else ""
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
    for axis, about, part in parts:
        yield from _undefined(part, axis, about, stated)
        yield from _about(part, about)
    if coefficients is not None:
        yield from _pair_notes(coefficients)
    lost = [_undefined_replicates(part, axis, about) for axis, about, part in parts]
    if all_lost := [figure for figures in lost for figure in figures]:
        yield Note("undefined_replicates", {"figures": all_lost})
    if contingency is not None:
        yield from _margins(contingency)
    if not attrs["labels_declared"] and Kind(attrs["task"]).has_labels:
        yield Note("labels_from_data", {"labels": attrs["labels"]})
    if attrs["single_rated_items"]:
        yield Note("single_ratings")
    if coefficients is not None:
        yield from _level_notes(coefficients)
    elsewhere = (*QUESTIONS, *OF_FIGURES)
    noted = (note for note in load_notes(attrs["notes"]) if note.code not in elsewhere)
    yield from (intervals.with_titles(note) for note in noted if not note.about)
    # one remark describes all intervals if their methods are the same
    single = [part for *_, part in parts if "random" in part]
    figures = (figure for part in single for figure in intervals.figures_of(part, title_of))
    yield from intervals.descriptions(attrs, figures) if single else intervals.description(attrs)
    if attrs["interval"] and any(_has_unexplained_gap(part) for *_, part in parts):
        yield Note("without_interval")


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


def in_units(result: xr.Dataset, row: int) -> bool:
    """Return whether observed or expected agreement by squared distances is negative."""
    squared = result["weights"].values[row] == "numbers" or bool(result["level"].values[row])
    return squared and bool(min(result["observed"][row], result["expected"][row]) < 0)


def _has_unexplained_gap(result: xr.Dataset) -> bool:
    """Return whether a defined estimate has neither an interval nor a note."""
    without = (result["code"].values == 0) & np.isnan(result["ci_low"].values)
    return bool((without & (result["note"].values == "")).any())
