"""The page of a comparison: conclusion, description of the sets, and tables of differences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import xarray as xr

from iaa_jax._types import Attributes
from iaa_jax.analyses.compare.by_interval import BOUNDED
from iaa_jax.analyses.compare.conclusions import (
    OBSERVED,
    ComparedRow,
    by_size,
    names_of_sets,
    reasons_of,
    rows_of,
)
from iaa_jax.analyses.compare.page_tables import (
    LABELS_SHOWN,
    coefficients_table,
    common_margins_table,
    labels_table,
)
from iaa_jax.analyses.compare.pictures import picture_of_differences
from iaa_jax.analyses.compare.words import NEXT, OF_DIFFERENCES, OF_RESULT, ON_RATES, VERDICT, WORDS
from iaa_jax.catalog import title_of
from iaa_jax.data.kind import Kind, kind_of
from iaa_jax.measure.options.label_options import UNSAID
from iaa_jax.measure.words import OF_RESULTS
from iaa_jax.pages import Block, Facts, Page, Paragraph, Remarks, Text, intervals
from iaa_jax.pages.ratings import reading_rows
from iaa_jax.pages.records import facts_of_set
from iaa_jax.wording import Note, load_notes
from iaa_jax.wording.formats import decimals_for
from iaa_jax.wording.undecided import UNDECIDED

_NEXT = {
    **dict.fromkeys(("a_higher", "b_higher"), "next_lower"),
    **dict.fromkeys(("undefined", "unreliable", "unknown"), "next_undecided"),
    "kind_not_shown": "next_kinds",
}
"""Code of the note on the next step, by conclusion."""


def page(result: xr.Dataset, *further: xr.Dataset) -> Page:
    """Return the page of `iaa_jax.compare`, with further results on the same sets.

    Parameters
    ----------
    result : xarray.Dataset
        With the dimension ``coefficient``, or ``label`` with ``per_label``.
    *further : xarray.Dataset
        Results with the dimension ``label``, for the table of labels, or with the dimension
        ``coefficient``, for the partial agreement of label sets.
    """
    labels = next((other for other in further if "label" in other.dims), None)
    partial = next((other for other in further if "label" not in other.dims), None)
    attrs, notes = result.attrs, load_notes(result.attrs["notes"])
    blocks: list[Block] = [_sets(attrs, notes)]
    answer = [note for note in notes if note.code in VERDICT]
    moved = result if "label" in result.dims else labels
    label_rows = [] if moved is None else by_size(rows_of(moved))[:LABELS_SHOWN]
    if "label" in result.dims:
        blocks += [labels_table(result), *picture_of_differences([], label_rows, attrs)]
        blocks.append(Remarks([*_remarks(result, rows_of(result))]))
        return Page("Comparison", answer, blocks, results={"labels": result})
    # the coefficient of the conclusion comes first
    rows = sorted(rows_of(result), key=lambda row: row["coefficient"] != attrs["coefficient"])
    rates = [note for note in notes if note.code in ON_RATES]
    shown = [result] if partial is None else [result, partial]
    blocks += [coefficients_table(shown, rows), *([Paragraph(rates)] if rates else [])]
    blocks += picture_of_differences(rows, label_rows, attrs)
    if not np.isnan(result.get("common_difference", np.nan)).all():
        blocks.append(common_margins_table(result, rows))
    remarks = [*_remarks(result, rows)]
    results = {"coefficients": result}
    on_partial = []
    if partial is not None:
        results["partial"] = partial
        figures = _figures(rows_of(partial)[0], partial.attrs)
        on_partial = [Note("beside_partial", {"figures": figures})]
    if labels is not None:
        of_labels = [note for note in load_notes(labels.attrs["notes"]) if note not in notes]
        if attrs["conclusion"] != UNDECIDED:
            blocks.append(Paragraph([note for note in of_labels if note.code in VERDICT]))
        blocks.append(labels_table(labels))
        remarks += [*_intervals_of_labels(labels, attrs)]
        remarks += [note for note in of_labels if note.code in OF_RESULT]
        results["labels"] = labels
    sentences = [*_depending_on_rates(rows[0], attrs, rates)]
    following = [Note("next_on_labels")] if sentences else _next(rows[0], notes, attrs)
    blocks.append(Remarks([*remarks, *following]))
    sentences = sentences or [_answer(rows[0], attrs, notes), *_at_equal_rates(rows[0], rates)]
    sentences = [sentences[0], *on_partial, *sentences[1:], *answer]
    return Page("Comparison", sentences, blocks, results=results)


def _at_equal_rates(row: ComparedRow, rates: Sequence[Note]) -> Iterator[Note]:
    """Yield a note on the estimates at equal label rates (frequencies), or on differing rates."""
    for note in rates:
        common = note.values["common"]
        if isinstance(common, Note) and common.code == "at_common_margins":
            values = {**common.values, **_higher(common)}
            higher = "b_higher" if values["higher"] == values["name_b"] else "a_higher"
            code = "at_equal_rates" if row["conclusion"] == higher else "higher_at_equal_rates"
            yield Note(code if common.values["shown"] else "not_shown_at_equal_rates", values)
        else:
            yield Note("rates_differ")


def _depending_on_rates(
    row: ComparedRow, attrs: Attributes, rates: Sequence[Note]
) -> Iterator[Note]:
    """Yield notes on both sets, if they differ only at equal label rates."""
    code = f"as_rated_{row['conclusion']}"
    for note in rates:
        common = note.values["common"]
        if not isinstance(common, Note) or code not in WORDS:
            continue
        if common.values.get("shown"):
            yield Note("depends_on_rates")
            figures = _figures(row, attrs, sure="interval_inside")
            yield Note(code, {**figures.values, "margin": attrs.get("margin")})
            yield Note("higher_at_equal_rates", {**common.values, **_higher(common)})


def _higher(common: Note) -> dict[str, object]:
    """Return the higher and the lower set at equal label rates."""
    sides = [(common.values[letter], common.values[f"name_{letter}"]) for letter in "ab"]
    (low, lower), (high, higher) = sorted(sides, key=lambda side: float(str(side[0])))
    return {"high": high, "higher": higher, "low": low, "lower": lower}


def _next(row: ComparedRow, notes: Sequence[Note], attrs: Attributes) -> Iterator[Note]:
    conclusion = str(row["conclusion"])
    yield from (note for note in notes if note.code in NEXT)
    if conclusion in _NEXT:
        lower = attrs["name_b" if conclusion == "a_higher" else "name_a"]
        yield Note(_NEXT[conclusion], {"lower": lower})


def _answer(row: ComparedRow, attrs: Attributes, notes: Sequence[Note]) -> Note:
    conclusion = str(row["conclusion"])
    title = row.title
    if conclusion == "undefined":
        return Note(conclusion, {"title": title, "reasons": reasons_of(row, attrs)})
    if conclusion == "unknown":
        reasons = [
            note
            for note in notes
            if note.code in OF_DIFFERENCES and row["coefficient"] in note.about
        ]
        return Note(conclusion, {"figures": _figures(row, attrs), "notes": reasons})
    values: dict[str, object] = {**names_of_sets(attrs)}
    about = [note.code for note in notes if row["coefficient"] in note.about]
    if conclusion == "not_shown" and "sets_do_not_differ" in about:
        figures = _figures(row, attrs, sure="interval_of_no_difference")
        return Note("no_item_differs", {**figures.values, "difference": figures.values["sure"]})
    if conclusion == "unreliable":
        counts = {"undefined": row["undefined_replicates"], "replicates": attrs["replicates"]}
        return Note(conclusion, {**values, **counts, "figures": _figures(row, attrs, sure="")})
    if conclusion in ("a_higher", "b_higher"):
        figures = _from_the_higher(row, attrs)
    elif conclusion in ("alike", "not_shown"):
        figures = Note("figures_of_both", _figures(row, attrs, sure="interval_inside").values)
    else:
        figures = _figures(row, attrs)
    values |= {"figures": figures, "margin": attrs.get("margin")}
    if conclusion == "kind_not_shown":
        values["but"] = _other_groups(row, attrs)
    return Note(conclusion, {**figures.values, **values})


def _other_groups(row: ComparedRow, attrs: Attributes) -> Note:
    """Return a note that other groupings of annotators differ as much, or are too few."""
    least = attrs["annotator_least_p_value"]
    if row.number("annotator_p_value") > least * (1 + 1e-9):
        return Note("other_groups")
    sizes = {"a": attrs["annotators_a"], "b": attrs["annotators_b"]}
    return Note("groups_too_small", {**sizes, "least": least})


def _figures(row: ComparedRow, attrs: Attributes, *, sure: str = "interval_behind") -> Note:
    """Return a note on both estimates; ``sure`` is the code of the note on the interval."""
    values = {
        **_title(row),
        **names_of_sets(attrs),
        "a": row["estimate_a"],
        "b": row["estimate_b"],
        "difference": row["difference"],
        "sure": "",
    }
    if sure:
        values["sure"] = _sure(row, attrs, (row.number("ci_low"), row.number("ci_high")), sure)
    return Note("figures", values)


def _from_the_higher(row: ComparedRow, attrs: Attributes) -> Note:
    high, low, sign = ("b", "a", 1) if row.number("difference") > 0 else ("a", "b", -1)
    ends = sorted((sign * row.number("ci_low"), sign * row.number("ci_high")))
    values = {
        **_title(row),
        "high": row[f"estimate_{high}"],
        "low": row[f"estimate_{low}"],
        "higher": attrs[f"name_{high}"],
        "lower": attrs[f"name_{low}"],
        "difference": abs(row.number("difference")),
        "sure": _sure(row, attrs, ends),
    }
    return Note("figures_from_the_higher", values)


def _title(row: ComparedRow) -> dict[str, object]:
    weights = row["weights"]
    return {
        "title": row.title,
        "weights": "" if weights in UNSAID else Note("weighted", {"weights": weights}),
        "decimals": decimals_for([row.number("standard_error")]),
    }


def _sure(
    row: ComparedRow, attrs: Attributes, ends: Sequence[float], code: str = "interval_behind"
) -> Note | str:
    """Return a note on the interval of a difference, or else on its p-value."""
    if not np.isnan(row.number("ci_low")):
        decimals = decimals_for([row.number("standard_error")])
        values = {"confidence": attrs["confidence"], "ends": list(ends), "decimals": decimals}
        return Note(code, values)
    inside = "p_inside" if code == "interval_inside" else "p_behind"
    return "" if np.isnan(row.number("p_value")) else Note(inside, {"p": row["p_value"]})


def _sets(attrs: Attributes, notes: Sequence[Note]) -> Facts:
    """Return facts on both sets, how they were read, and how they were matched."""
    sets = [facts_of_set(attrs, letter) for letter in "ab"]
    rows: list[tuple[Text, Text]] = [
        (letter, _set(facts, letter)) for letter, facts in zip("AB", sets, strict=True)
    ]
    if kind_of(attrs) is Kind.SPANS:
        rows.append(("", Note("ratings_spans")))
    readings = [reading_rows(facts) for facts in sets]
    for heading in dict.fromkeys(heading for reading in readings for heading, _ in reading):
        texts = [[text for own, text in reading if own == heading] for reading in readings]
        if texts[0] == texts[1]:
            rows += [(heading, text) for text in texts[0]]
        else:
            rows += [
                (f"{heading} ({who})", text)
                for who, several in zip("AB", texts, strict=True)
                for text in several
            ]
    design = {"design": Note(f"design_{attrs['design']}")}
    for note in notes:
        if note.code == "values_not_compared":
            rows.append(("Not compared", note))
        elif note.code == f"pairing_{attrs['pairing']}":
            rows.append(("Design", Note(note.code, {**note.values, **design})))
        elif note.code == "pairing_row_numbers":
            rows.append(("Note", note))
    if attrs["paired"] and attrs["pairable_items_both"] != attrs["items_a"]:
        values = {name: attrs[f"pairable_items_{name}"] for name in ("a", "b", "both")}
        alike = values["a"] == values["b"] == values["both"]
        rows.append(("Compared", Note("comparable" if alike else "comparable_each", values)))
    return Facts(rows)


def _set(facts: Attributes, letter: str) -> Note:
    """Return a note on one set."""
    named = "" if facts["name"] == letter else Note("set_called", {"name": facts["name"]})
    pairable, left_out = facts["pairable_items"], facts["left_out_items"]
    few = Note("set_pairable", {"items": pairable}) if pairable != facts["items"] else ""
    if facts["annotators"]:
        annotators = Note("set_annotators", {"annotators": facts["annotators"]})
    else:
        annotators = Note("set_anonymous", {"ratings": facts["largest_panel"]})
    lost = Note("set_left_out", {"items": left_out}) if left_out else ""
    return Note(
        "set", {**facts, "named": named, "pairable": few, "who": annotators, "left_out": lost}
    )


def _remarks(result: xr.Dataset, rows: Sequence[ComparedRow]) -> Iterator[Note]:
    attrs, notes = result.attrs, load_notes(result.attrs["notes"])
    drawn = [
        row for row in rows if row["interval"] != BOUNDED and not np.isnan(row.number("ci_low"))
    ]
    yield from (note for note in notes if note.code in (*OF_RESULT, *OF_RESULTS))
    kinds = dict.fromkeys(str(row["interval"]) for row in drawn)
    for kind in kinds:
        of_sets = "of_both" if attrs["paired"] else "of_each"
        for note in intervals.description({**attrs, "interval": kind}, of_sets):
            own = [row for row in drawn if str(row["interval"]) == kind]
            figures = [row.title for row in own] if len(kinds) > 1 else []
            yield Note("intervals_of", {**note.values, "figures": figures}) if figures else note
    if "label" in result.dims:
        yield from _about(notes, [str(row["label"]) for row in rows], str)
        return
    yield from _row_notes(rows, attrs)
    yield from _about(notes, [str(row["coefficient"]) for row in rows], title_of)


def _intervals_of_labels(labels: xr.Dataset, attrs: Attributes) -> Iterator[Note]:
    """Yield a note on the method of the intervals of labels, if coefficients have another one."""
    if labels.attrs.get("interval") == attrs.get("interval"):
        return
    if method := labels.attrs.get("interval"):
        values = {"confidence": labels.attrs["confidence"], "method": method}
        yield Note("intervals_of_labels", values)


def _row_notes(rows: Sequence[ComparedRow], attrs: Attributes) -> Iterator[Note]:
    """Yield notes on undefined rows or replicates, and on weights."""
    for row in rows[1:]:
        if row["code"]:
            title = row.title
            yield Note("undefined_row", {"title": title, "reasons": reasons_of(row, attrs)})
    lost = [
        Note("figure_count", {"name": row.title, "count": count})
        for row in rows
        if (count := row["undefined_replicates"])
        and not (row is rows[0] and row["conclusion"] == "unreliable")
    ]
    if lost:
        yield Note("undefined_replicates", {"figures": lost})
    titles: dict[str, list[str]] = {}
    for row in rows[1:]:
        if row["weights"] not in UNSAID and row["coefficient"] != OBSERVED:
            titles.setdefault(str(row["weights"]), []).append(row.title)
    for weights, several in titles.items():
        values = {"weights": weights, "titles": several, "count": len(several)}
        yield Note("labels_agree", values)


def _about(
    notes: Sequence[Note], names: Sequence[str], title: Callable[[str], str]
) -> Iterator[Note]:
    """Yield notes on rows, with the names of the rows."""
    for note in notes:
        if note.code in OF_DIFFERENCES:
            every = len(note.about) == len(names) > 1
            titles = [title(name) for name in note.about]
            figures = Note("about_all") if every else Note("about_figures", {"titles": titles})
            yield Note("about", {"figures": figures, "note": note})


PAGES = {("compare",): page}
