"""The page of agreement in one set of ratings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import pandas as pd
import xarray as xr

from iaa_jax.analyses.agree.words import METHODS, OF_TESTS, WORDS
from iaa_jax.catalog import CATALOG, NAMES, title_of
from iaa_jax.measure.words import FOR_SPANS, OF_FIGURES, OF_RESULTS, QUESTIONS, UNSAID, UNWEIGHTED
from iaa_jax.pages import Block, Column, Facts, Page, Remarks, Table, intervals
from iaa_jax.pages.ratings import WORDS as RATINGS, ratings_facts, short_facts
from iaa_jax.wording import Note, joined, load_notes
from iaa_jax.wording.formats import decimals_for

LABELS_SHOWN = 20
"""Most labels that get a line of their own without being asked for."""

_KINDS = {"multi_label": "sets", "value": "numbers", "spans": "spans"}

ALL_WORDS = joined(RATINGS, intervals.WORDS, OF_FIGURES, OF_RESULTS, OF_TESTS, METHODS, WORDS)


def page(
    result: xr.Dataset,
    labels: Sequence[xr.Dataset] = (),
    contingency: xr.Dataset | None = None,
    groups: xr.Dataset | None = None,
    *,
    all_labels: bool = False,
    sentence: bool = False,
) -> Page:
    """The page of a result of `iaa_jax.agreement` or of one coefficient.

    Parameters
    ----------
    result : xarray.Dataset
        Along ``coefficient`` or ``label``, or of scalars.
    labels : sequence of xarray.Dataset
        Of the same ratings: coefficients along ``label``, as `iaa_jax.specific_agreement`.
    contingency : xarray.Dataset, optional
        Likewise `iaa_jax.contingency`.
    groups : xarray.Dataset, optional
        Likewise `iaa_jax.agreement_by`.
    all_labels : bool
        Whether every label gets a line, however many there are.
    sentence : bool
        Whether the page ends with a sentence for a paper.
    """
    several = _along_coefficients(result)
    blocks: list[Block] = [ratings_facts(result.attrs)]
    tables: list[Table] = []
    answer: list[Note] = []
    questions = [note for note in load_notes(result.attrs["notes"]) if note.code in QUESTIONS]
    if several is not None and several.sizes["coefficient"]:
        others = several["coefficient"].values != several.attrs.get("coefficient")
        in_order = several.isel(coefficient=np.argsort(others, kind="stable"))
        answer = [_lead(in_order, open_level=bool(questions)), *questions]
        tables = [_levels(note, several) for note in questions if "levels" in note.values]
        tables.append(_coefficients(in_order))
    if groups is not None:
        tables.append(_parts(groups, "group", str(groups.attrs["by"])))
    along_labels = [result] if several is None else labels
    tables += [_labels(each, all_labels) for each in along_labels]
    blocks += tables
    if contingency is not None and not np.isnan(contingency.get("kappa_max", np.nan)):
        exact = several is None or set(several["weights"].values.tolist()) <= {*UNWEIGHTED}
        blocks.append(_indices(contingency, "Index" if exact else "Index of exact matches"))
    results = {"coefficients": several} if several is not None else {}
    results |= {each.attrs["coefficient"]: each for each in along_labels}
    results |= {"contingency": contingency} if contingency is not None else {}
    results |= {"by": groups} if groups is not None else {}
    said = [str(note.values["reason"]) for note in answer if note.code == "lead_undefined"]
    remarks = [*_remarks(result, several, along_labels, contingency, said)]
    if sentence and several is not None and several.sizes["coefficient"]:
        remarks.append(_sentence(in_order))
    blocks.append(Remarks(remarks))
    words = {**ALL_WORDS, **FOR_SPANS} if result.attrs["task"] == "spans" else ALL_WORDS
    return Page("Agreement", answer, blocks, words, results)


def _sentence(result: xr.Dataset) -> Note:
    """The first coefficient as a paper reports it."""
    attrs, row = result.attrs, result.isel(coefficient=0)
    name = str(row["coefficient"].item())
    ends = [float(row["ci_low"]), float(row["ci_high"])]
    method = str(attrs.get("interval", ""))
    values = {
        "title": title_of(name),
        "source": CATALOG[NAMES[name]].source if name in NAMES else "",
        "estimate": float(row["estimate"]),
        "confidence": float(attrs.get("confidence", 0.95)),
        "ends": ends,
        "method": Note(f"by_{method}" if f"by_{method}" in WORDS else "by_other"),
        "replicates": int(attrs.get("replicates", 0)),
        "version": attrs["iaa_jax_version"],
        **{what: attrs[what] for what in ("items", "annotators", "ratings")},
    }
    values["interval"] = "" if np.isnan(ends).any() else Note("paper_interval", values)
    return Note("paper", values)


def page_of_questions(result: xr.Dataset) -> Page:
    """The page of several questions on the same items, along ``question``."""
    first = result.isel(question=0)
    facts = [row for row in short_facts(result.attrs).rows if row[0] != "Read as"]
    values = {str(name): value for name, value in result.attrs.items()}
    values |= {"title": title_of(str(result.attrs["coefficient"]))}
    answer = [Note(f"questions_{result.attrs['conclusion']}", values)]
    blocks: list[Block] = [Facts(facts), _parts(result, "question", "Question")]
    blocks.append(Remarks([*intervals.description(first.attrs)]))
    return Page("Agreement by question", answer, blocks, ALL_WORDS, {"coefficients": result})


def _parts(result: xr.Dataset, along: str, heading: str) -> Table:
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
    if "group_items" in rows:
        columns.append(Column("group_items", "Items", rows["group_items"].values, "count", spare=1))
    columns += _figures(rows)
    return Table("by" if along == "group" else "questions", columns, noun=f"{along}s")


def _along_coefficients(result: xr.Dataset) -> xr.Dataset | None:
    """The result along coefficients; None where it goes along labels."""
    if "coefficient" in result.dims:
        return result
    if "label" in result.dims:
        return None
    return result.expand_dims(coefficient=[result.attrs["coefficient"]])


def _lead(result: xr.Dataset, *, open_level: bool) -> Note:
    """The first coefficient, how sure it is, and why it is the first."""
    attrs, row = result.attrs, result.isel(coefficient=0)
    weights = str(row["weights"].item())
    ends = [float(row["ci_low"]), float(row["ci_high"])]
    decimals = decimals_for(result["standard_error"].values)
    certainty = {"confidence": attrs.get("confidence"), "ends": ends, "decimals": decimals}
    doubted = "doubt" in row and row["doubt"].item()
    interval = Note("lead_interval_in_doubt" if doubted else "lead_interval", certainty)
    why: Note | str = ""
    if result.sizes["coefficient"] > 1:
        usual = f"leads_usual_{_KINDS.get(attrs['task'], 'labels')}"
        why = Note(usual if attrs.get("leads") == "usual" else "leads_asked")
    said = weights not in UNSAID or (open_level and weights.startswith("level"))
    values = {
        "coefficient": title_of(str(row["coefficient"].item())),
        "weights": Note("lead_weights", {"weights": weights}) if said else "",
        "estimate": float(row["estimate"]),
        "decimals": decimals,
        "interval": interval if ends[0] < ends[1] else "",
        "reason": str(row["reason"].item()),
        "why": why,
    }
    return Note("lead_undefined" if int(row["code"]) else "lead", values)


def _levels(question: Note, result: xr.Dataset) -> Table:
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


def _coefficients(result: xr.Dataset) -> Table:
    """The table of coefficients, the one that leads first."""
    weights = result["weights"].values.tolist()
    names = result["coefficient"].values.tolist()
    columns = [
        Column("coefficient", "", names, "word", in_files=True),
        Column("title", "Coefficient", [title_of(name) for name in names], "word"),
    ]
    weights_shown = ["" if each in ("identity", "numbers") else each for each in weights]
    unusual = set(weights_shown) - set(UNWEIGHTED)
    caption: Note | str = ""
    if unusual and len(set(weights_shown)) == 1:
        caption = Note("shared_weights", {"weights": weights_shown[0]})
    elif unusual:
        columns.append(Column("weights", "Weights", weights_shown, "word", spare=4))
    columns += _figures(result)
    columns += _extra_columns(result)
    in_units = [_in_units(result, row) for row in range(len(names))]
    partly = any(
        used not in UNWEIGHTED and not hidden
        for used, hidden in zip(weights, in_units, strict=True)
    )
    # where nothing takes chance out, observed agreement is the estimate once more
    alike = not any(name not in NAMES or CATALOG[NAMES[name]].beyond_chance for name in names)
    for name, spare in (("observed", 8), ("expected", 9)):
        # squared distances in units of a level are no shares, and would widen the columns
        values = np.where(in_units, np.nan, result[name].values)
        meaning = Note(name, {"partly": Note("near_misses") if partly else ""})
        defined_meaning = None if np.isnan(values).all() else meaning
        columns.append(
            Column(
                name,
                name.capitalize(),
                values,
                spare=spare,
                meaning=None if alike else defined_meaning,
                in_files=alike,
            )
        )
    return Table("coefficients", columns, caption, "coefficients")


def _labels(result: xr.Dataset, all_labels: bool) -> Table:
    """The table of labels."""
    columns = [Column("label", "Label", result["label"].values, "label")]
    limit = None if all_labels else LABELS_SHOWN
    figures = _figures(result, title_of(str(result.attrs["coefficient"])))
    return Table("labels", [*columns, *figures], "", "labels", limit)


def _figures(result: xr.Dataset, heading: str = "Estimate") -> Iterator[Column]:
    """Estimates, intervals and standard errors."""
    decimals = decimals_for(result["standard_error"].values)
    yield Column("estimate", heading, result["estimate"].values, decimals=decimals)
    if not result.attrs["interval"]:
        return
    yield intervals.column(result, decimals=decimals)
    error = result.attrs.get("interval_standard_error", "infinitesimal_jackknife")
    over = "_over_annotators" if result.attrs.get("sampling_annotators") == "random" else ""
    meaning = Note(f"standard_error{over}", {"form": str(error)})
    errors = result["standard_error"].values
    yield Column("standard_error", "SE", errors, "estimate", decimals, spare=6, meaning=meaning)


def _extra_columns(result: xr.Dataset) -> Iterator[Column]:
    """Words, tests of zero agreement, and probabilities, where they were asked for."""
    attrs = result.attrs
    if "word" in result:
        reached = bool(attrs["interval"])
        name, heading = ("reached", "At least") if reached else ("word", "Word")
        scale = {
            key: attrs[key] for key in ("certainty", "scale_title", "made_for") if key in attrs
        }
        meaning = Note("reached" if reached else "word", scale)
        words = [word or "-" for word in result[name].values.tolist()]
        yield Column(name, heading, words, "word", meaning=meaning)
    if "zero_p_value" in result:
        methods = dict.fromkeys(filter(None, result["zero_method"].values.tolist()))
        named = [Note(name) if name in METHODS else name for name in methods]
        meaning = Note("by_chance", {"how": named})
        p_values = result["zero_p_value"].values
        yield Column("zero_p_value", "p by chance", p_values, "p", meaning=meaning)
    if "above" in result:
        random = attrs.get("sampling_annotators") == "random"
        posterior = set(result["interval"].values.tolist()) == {"posterior"}
        over_items = "above_posterior" if posterior else "above_over_items"
        meaning = Note("above_over_annotators" if random else over_items)
        for index, cut_off in enumerate(result["cut_off"].values.tolist()):
            yield Column(
                f"above_{cut_off:g}",
                f"P > {cut_off:g}",
                result["above"].values[:, index],
                "probability",
                meaning=None if index else meaning,
            )


def _in_units(result: xr.Dataset, row: int) -> bool:
    """Whether observed and expected are squared distances of a level, not shares."""
    squared = result["weights"].values[row] == "numbers" or bool(result["level"].values[row])
    return squared and bool(min(result["observed"][row], result["expected"][row]) < 0)


def _indices(contingency: xr.Dataset, heading: str) -> Table:
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


def _remarks(
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
        if any(_in_units(result, names.index(name)) for name in names_of_level):
            yield Note("in_units", {"level": level, "figures": _named("figures", names_of_level)})
    of_pairs = {row.name for row in CATALOG.values() if row.measure.label_sets}
    weights_of_sets = [each for name, each in weights.items() if name not in of_pairs]
    if (
        result.attrs["task"] == "multi_label"
        and weights_of_sets
        and all(map(UNWEIGHTED.__contains__, weights_of_sets))
    ):
        yield Note("sets_same_or_different")


def _has_unexplained_gap(result: xr.Dataset) -> bool:
    """Whether a figure has no interval, and nothing says why."""
    without = (result["code"].values == 0) & np.isnan(result["ci_low"].values)
    return bool((without & (result["note"].values == "")).any())


PAGES = {"agreement": page}
"""Results that have a page of their own."""
