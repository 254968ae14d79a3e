"""The page of agreement in one set of ratings, or by question."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import xarray as xr

from iaa_jax.analyses.agree.page_of_methods import (
    compares_equal_sets,
    leading,
    method_note,
    methods_note,
    paper_weights,
)
from iaa_jax.analyses.agree.page_of_questions import questions_page
from iaa_jax.analyses.agree.page_remarks import doubt_of, leading_first, remarks_of
from iaa_jax.analyses.agree.page_tables import (
    coefficients_table,
    indices_table,
    labels_table,
    least_by_chance,
    levels_table,
    measures_distances,
    parts_table,
)
from iaa_jax.analyses.agree.words import METHODS, OF_TESTS
from iaa_jax.catalog import CATALOG, NAMES, UNWEIGHTED, title_of
from iaa_jax.data.facts import code_for
from iaa_jax.data.kind import Kind, kind_of
from iaa_jax.measure.options.label_options import UNSAID
from iaa_jax.measure.shared.agreement_by import doubts_of_extremes
from iaa_jax.measure.words import FOR_SPANS, OF_GROUPS
from iaa_jax.pages import Block, Page, Picture, Remarks, Table
from iaa_jax.pages.pictures import forest
from iaa_jax.pages.ratings import ratings_facts
from iaa_jax.wording import Note, load_notes
from iaa_jax.wording.formats import decimals_for
from iaa_jax.wording.undecided import QUESTIONS

_PARTIAL = "am_agreement"
"""Coefficient of label sets that compares label by label."""

_ACROSS_GROUPS = ("next_across_groups", "next_across_large_groups")
"""Codes of notes on agreement across two groups of annotators."""

MOST_DRAWN = 30
"""Maximum number of coefficients in the chart."""

_KINDS = {Kind.SETS: "sets", Kind.NUMBERS: "numbers", Kind.SPANS: "spans"}


def page(
    result: xr.Dataset, *further: xr.Dataset, top: int | None = None, sentence: bool = False
) -> Page:
    """Return the page of `iaa_jax.agreement`, with further results on the same ratings.

    Parameters
    ----------
    result : xarray.Dataset
        With the dimension ``coefficient``, ``label`` or ``question``, or without a dimension.
    *further : xarray.Dataset
        Results of coefficients with an estimate per label, such as `iaa_jax.specific_agreement`,
        and results of `iaa_jax.contingency` and `iaa_jax.agreement_by`.
    top : int, optional
        Maximum number of labels in the tables of labels.
    sentence : bool
        Whether a sentence for a paper follows the conclusion.
    """
    made_by = {other.attrs["made_by"]: other for other in further}
    contingency, groups = made_by.get("contingency"), made_by.get("agreement_by")
    labels = [other for other in further if other.attrs["made_by"] == "agreement"]
    if "question" in result.dims:
        return questions_page(result)
    coefficients = _along_coefficients(result)
    blocks: list[Block] = [ratings_facts(result.attrs)]
    tables: list[Table] = []
    drawn: list[Picture] = []
    answer: list[Note] = []
    questions = [note for note in load_notes(result.attrs["notes"]) if note.code in QUESTIONS]
    if coefficients is not None and coefficients.sizes["coefficient"]:
        in_order = leading_first(coefficients)
        answer = [_lead(in_order, open_level=bool(questions)), *questions]
        answer += _beyond_chance(in_order)
        if "zero_p_value" in coefficients and coefficients.attrs.get("anonymous"):
            answer.append(Note("habits_unknown"))
        tables = [levels_table(note, coefficients) for note in questions if "levels" in note.values]
        tables.append(coefficients_table(in_order))
        drawn = [*_drawn(in_order)]
    if groups is not None:
        by = str(groups.attrs["by"])
        caption = Note("by_caption", {"by": by, **_measured_in(groups)})
        tables.append(replace(parts_table(groups, "group", by), caption=caption))
        if "lowest_group" in groups.attrs:
            extremes = {**groups.attrs, **doubts_of_extremes(groups.attrs)}
            answer.append(Note("groups_measured", {**extremes, **_measured_in(groups)}))
    along_labels = [result] if coefficients is None else labels
    results = {"coefficients": coefficients} if coefficients is not None else {}
    results |= {labelled.attrs["coefficient"]: labelled for labelled in along_labels}
    if coefficients is not None and top is None and measures_distances(coefficients):
        tables += [replace(labels_table(labelled, top), in_files=True) for labelled in along_labels]
        along_labels = []
    exact = coefficients is None or set(coefficients["weights"].values.tolist()) <= {*UNWEIGHTED}
    tables += [labels_table(labelled, top, exact_only=not exact) for labelled in along_labels]
    blocks += [*drawn, *tables]
    if contingency is not None and not np.isnan(contingency.get("kappa_max", np.nan)):
        blocks.append(indices_table(contingency, "Index" if exact else "Index of exact matches"))
    results |= {"contingency": contingency} if contingency is not None else {}
    results |= {"by": groups} if groups is not None else {}
    stated = [str(note.values["reason"]) for note in answer if note.code == "lead_undefined"]
    remarks = [*remarks_of(result, coefficients, along_labels, contingency, stated)]
    if groups is not None:
        remarks = [*_on_groups(groups), *remarks]
    if answer and coefficients is not None:
        remarks = [*_why(in_order), *remarks]
        if sentence:
            answer.append(_sentence(in_order))
            remarks.append(methods_note(leading(in_order)))
        if coefficients.attrs.get("conclusion") not in ("perfect", "undefined"):
            remarks.append(_next(coefficients))
    blocks.append(Remarks(remarks))
    words = FOR_SPANS if kind_of(result.attrs) is Kind.SPANS else {}
    return Page("Agreement", answer, blocks, words, results)


def _beyond_chance(result: xr.Dataset) -> Iterator[Note]:
    """Yield a note on the test of the leading coefficient against chance, if any."""
    p_value = float(result["zero_p_value"][0]) if "zero_p_value" in result else np.nan
    if not np.isnan(p_value):
        shown = p_value < 1 - float(result.attrs.get("confidence", 0.95))
        least = least_by_chance(result.isel(coefficient=[0]))
        p = (
            Note("p_at_most", least.values)
            if isinstance(least, Note)
            else Note("p", {"p": p_value})
        )
        yield Note("beyond_chance" if shown else "perhaps_chance", {"p": p})


def _drawn(result: xr.Dataset) -> Iterator[Picture]:
    """Yield a chart of the first coefficients, if two or more are defined."""
    names = result["coefficient"].values
    shown = np.arange(len(names))
    used = result["weights"].values[names == "percent_agreement"]
    if measures_distances(result) or not {*used.tolist()} <= {*UNWEIGHTED}:
        # with weights or distances, percent agreement is no percentage
        shown = np.flatnonzero(names != "percent_agreement")
    rows = result.isel(coefficient=shown[:MOST_DRAWN])
    estimates = rows["estimate"].values
    if np.isfinite(estimates).sum() < 2:
        return
    titles = [title_of(name) for name in rows["coefficient"].values.tolist()]
    values: dict[str, object] = {}
    for end, index in (("least", np.nanargmin(estimates)), ("most", np.nanargmax(estimates))):
        values |= {end: float(estimates[index]), f"{end}_name": titles[index]}
    ends = np.stack([estimates, rows["ci_low"].values, rows["ci_high"].values], axis=1)
    known = np.isfinite(ends[:, 1:]).any()
    level = {"confidence": float(result.attrs.get("confidence", np.nan))}
    subtitle = Note("picture_coefficients_ends", level) if known else ""
    yield forest("coefficients_drawn", titles, ends, Note("picture_coefficients", values), subtitle)


def _sentence(result: xr.Dataset) -> Note:
    attrs, row = result.attrs, result.isel(coefficient=0)
    name = str(row["coefficient"].item())
    ends = [float(row["ci_low"]), float(row["ci_high"])]
    method = str(row["interval"].item()) if "interval" in row else ""
    used = str(row["weights"].item())
    values = {
        "title": title_of(name, used),
        "source": CATALOG[NAMES[name]].source if name in NAMES else "",
        "weights": paper_weights(attrs, used),
        "estimate": float(row["estimate"]),
        "confidence": float(attrs.get("confidence", 0.95)),
        "ends": ends,
        "method": method_note(attrs, method),
        "replicates": int(attrs.get("replicates", 0)),
        "version": attrs["iaa_jax_version"],
        "who": "" if attrs["anonymous"] else Note("paper_annotators", {**attrs}),
        **{name: attrs[name] for name in ("items", "ratings", "spans") if name in attrs},
    }
    pairable = attrs.get("pairable_items", attrs["items"])
    values["rated"] = (
        "" if pairable == attrs["items"] else Note("paper_rated", {"pairable": pairable})
    )
    values["interval"] = "" if np.isnan(ends).any() else Note("paper_interval", values)
    return Note(code_for(attrs, "paper"), values)


def _on_groups(groups: xr.Dataset) -> Iterator[Note]:
    """Yield the cautions on single groups, and advice on measuring agreement across groups."""
    for note in load_notes(groups.attrs["notes"]):
        if note.code in OF_GROUPS and note.level == "caution":
            values = {"by": str(groups.attrs["by"]), "rows": note.about, "note": note}
            yield Note("about_agreement_by", values)
        elif note.code in _ACROSS_GROUPS:
            yield note


def _measured_in(groups: xr.Dataset) -> dict[str, object]:
    """Return values of a note: the coefficient of the groups, and its weights."""
    if groups.sizes["coefficient"] > 1:
        return {"what": Note("any_coefficient"), "weights": ""}
    used = str(np.ravel(groups["weights"].values)[0]) if "weights" in groups else ""
    weights = "" if not used or used in UNSAID else Note("lead_weights", {"weights": used})
    return {"what": title_of(str(groups["coefficient"].values[0]), used), "weights": weights}


def _along_coefficients(result: xr.Dataset) -> xr.Dataset | None:
    """Return the result along ``coefficient``; None for a result along ``label``."""
    if "coefficient" in result.dims:
        return result
    if "label" in result.dims:
        return None
    return result.expand_dims(coefficient=[result.attrs["coefficient"]])


def _lead(result: xr.Dataset, *, open_level: bool) -> Note:
    """Return a note on the first coefficient; if only equal sets agree, also on `_PARTIAL`."""
    attrs, row = result.attrs, result.isel(coefficient=0)
    weights, names = str(row["weights"].item()), result["coefficient"].values.tolist()
    decimals = decimals_for(result["standard_error"].values)
    partial: Note | str = ""
    if compares_equal_sets(attrs, weights):
        index = names.index(_PARTIAL) if _PARTIAL in names else 0
        if index and not int(result["code"][index]):
            figure = _figure(result.isel(coefficient=index), decimals)
            partial = Note("lead_partial", figure)
    states_weights = weights not in UNSAID or (open_level and weights.startswith("level"))
    values = {
        "coefficient": title_of(str(row["coefficient"].item()), weights),
        "weights": Note("lead_weights", {"weights": weights}) if states_weights else "",
        **_figure(row, decimals),
        "partial": partial,
        "reason": str(row["reason"].item()),
    }
    return Note("lead_undefined" if int(row["code"]) else "lead", values)


def _figure(row: xr.Dataset, decimals: int) -> dict[str, object]:
    """Return values of a note: an estimate, and its interval with the doubt about it."""
    ends = [float(row["ci_low"]), float(row["ci_high"])]
    reason = doubt_of(row)
    doubt = Note("doubt", {"why": Note(f"doubt_{reason}")}) if reason else ""
    certainty = {"confidence": row.attrs.get("confidence"), "ends": ends, "decimals": decimals}
    interval = Note("lead_interval", {**certainty, "doubt": doubt})
    return {
        "estimate": float(row["estimate"]),
        "decimals": decimals,
        "interval": interval if ends[0] < ends[1] else "",
    }


def _why(result: xr.Dataset) -> Iterator[Note]:
    """Yield a note on why the first coefficient leads, unless the caller chose it."""
    if result.sizes["coefficient"] > 1 and result.attrs.get("leads") == "usual":
        why = Note(f"leads_{_KINDS.get(Kind(result.attrs['task']), 'labels')}")
        title = title_of(str(result["coefficient"].values[0]))
        yield Note("leads", {"coefficient": title, "why": why})


def _next(result: xr.Dataset) -> Note:
    kind = Kind(result.attrs["task"])
    of_kinds = {Kind.SETS: ["next_label_sets"], Kind.SPANS: ["next_spans"], Kind.NUMBERS: []}
    steps = of_kinds.get(kind, ["next_labels"])
    if not result.attrs["anonymous"] and result.attrs["annotators"] > 2:
        steps = ["next_findings"]
    return Note("next", {"steps": [Note(step) for step in (*steps, "next_report")]})


FURTHER_WORDS = (OF_TESTS, METHODS, OF_GROUPS)

PAGES: dict[tuple[str, ...], Callable[..., Page]] = {
    ("agreement",): page,
    ("agreement", "contingency"): page,
    ("agreement", "agreement_by"): page,
    ("agreement", "contingency", "agreement_by"): page,
}
