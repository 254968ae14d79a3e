"""The page of findings: a sentence for each cause, with the gain from mending it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import numpy as np
import xarray as xr

from iaa_jax._types import Attributes
from iaa_jax.analyses.findings.causes import FEWEST
from iaa_jax.analyses.findings.declared import FINDINGS
from iaa_jax.analyses.findings.words import WORDS
from iaa_jax.catalog import CATALOG, UNWEIGHTED
from iaa_jax.data.kind import Kind
from iaa_jax.data.provenance import doubts_of
from iaa_jax.measure.options.label_options import UNSAID
from iaa_jax.pages import Block, Facts, Mark, Page, Picture, Remarks
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.pages.intervals import confidence, title
from iaa_jax.pages.pictures import forest
from iaa_jax.pages.ratings import measured_facts
from iaa_jax.wording import Note, load_notes
from iaa_jax.wording.undecided import QUESTIONS, questions_of

_ALL = 0.995
"""Share of guesses above which all ratings are called guessed."""

_OF_READING = ("doubtful_reading", "copies")
"""Kinds of findings on how the file was read."""

_DOUBTS = (*_OF_READING, "ordered_labels")
"""Kinds of findings that are questions about the ratings, and no causes of disagreement."""

_CHANGED = 1.2
"""Ratio of disagreement with oneself to disagreement with others, above which practice changed."""

_MANY = 5
"""Maximum number of similar findings without gains that have a sentence each."""

_MENDED = {
    "near_ends": "near",
    "same_ratings": "copies",
    "leaves_label_out": "as_others",
    "adds_label": "as_others",
}
"""Kinds of findings with their own wording of the gain."""


def page(result: xr.Dataset) -> Page:
    """Return the page of a result of `iaa_jax.findings`."""
    facts = measured_facts(result, UNSAID)
    doubts = doubts_of(result.attrs, result.attrs["items"])
    blocks: list[Block] = [Facts([row for row in facts.rows if row[1] not in doubts])]
    if result.sizes["finding"]:
        column = FigureColumns(FINDINGS, result)
        columns = [
            *map(column, ("kind", "annotator", "label", "other_label", "items", "p_value")),
            column("if_mended"),
            *column.with_ends("gain"),
        ]
        blocks.append(column.table("findings", columns, "finding", Note("caption"), in_files=True))
        blocks += _pictures(result)
    notes = [note for note in load_notes(result.attrs["notes"]) if note.code not in QUESTIONS]
    blocks.append(Remarks([*_remarks(result), *notes]))
    return Page("Findings", [*_answer(result)], blocks, results={"": result})


def _pictures(result: xr.Dataset) -> Iterator[Picture]:
    known = result.isel(finding=np.flatnonzero(np.isfinite(result["gain"].values)))
    if not known.sizes["finding"]:
        return
    columns = ("kind", "annotator", "label", "other_label", "since")
    names = []
    for kind, *details in zip(*(known[name].values.tolist() for name in columns), strict=True):
        about = ", ".join(filter(None, map(str, details)))
        names.append(kind.replace("_", " ") + (f": {about}" if about else ""))
    spans = np.stack(
        [known[name].values for name in ("gain", "gain_ci_low", "gain_ci_high")], axis=1
    )
    figures = {name: float(result[name]) for name in ("estimate", "if_all_mended")}
    subtitle = Note("picture_from", {**figures, **confidence(result)})
    heading = Note("picture", {"title": title(result)})
    yield forest("findings_drawn", names, spans, heading, subtitle, [Mark("", x=0.0)])


def sentences(result: xr.Dataset) -> Iterator[Note]:
    """Yield the sentences on the findings, in order."""
    before = float(result["estimate"])
    readings = iter(doubts_of(result.attrs, result.attrs["items"]))
    alike = _alike(result)
    for row in range(result.sizes["finding"]):
        one = result.isel(finding=row)
        kind = str(one["kind"].item())
        if (rows := alike.get(row)) is not None:
            if rows[0] == row:
                yield _sentence_on_many(result, rows)
        elif kind in _OF_READING:  # in the order of `doubts_of`
            yield Note(kind, {"reading": next(readings)})
        elif kind == "ordered_labels":
            notes = load_notes(result.attrs["notes"])
            question = next(note for note in notes if note.code in QUESTIONS)
            figures = {"if_mended": float(one["if_mended"]), "estimate": float(result["estimate"])}
            yield Note(kind, {"question": question, "title": title(result), **figures})
        else:
            yield _sentence(result, one, before)
        if one["mended_by"].item():
            before = float(one["if_mended"])


def _alike(result: xr.Dataset) -> dict[int, list[int]]:
    """Return, for each finding that shares a sentence with others, all findings in it."""
    groups: dict[tuple[object, ...], list[int]] = {}
    columns = [result[name].values.tolist() for name in ("kind", "easier", "label")]
    for row, (kind, easier, label) in enumerate(zip(*columns, strict=True)):
        separate = result["mended_by"].values[row] or not result["annotator"].values[row]
        if not separate and f"many_{kind}" in WORDS:
            groups.setdefault((kind, easier == 1, label), []).append(row)
    return {row: rows for rows in groups.values() if len(rows) > _MANY for row in rows}


def _sentence_on_many(result: xr.Dataset, rows: list[int]) -> Note:
    first = result.isel(finding=rows[0])
    kind, easier = str(first["kind"].item()), bool(first["easier"] == 1)
    values = {"label": str(first["label"].item()), "easier": Note("easier" if easier else "harder")}
    names = result["annotator"].values[rows].tolist()
    return Note(
        "many",
        {
            "number": len(rows),
            "of": result.attrs["annotators_asked"],
            "least": FEWEST,
            "do": Note(f"many_{kind}", values),
            "names": names,
        },
    )


def _agree_if_equal(attrs: Attributes) -> bool:
    """Tell whether ratings are label sets of which only identical ones agree."""
    row = CATALOG.get(attrs["coefficient"])
    compares_labels = row is not None and row.measure.label_sets
    return (
        attrs["task"] == Kind.SETS.value and attrs["weights"] in UNWEIGHTED and not compares_labels
    )


def _answer(result: xr.Dataset) -> Iterator[Note]:
    code = str(result.attrs["conclusion"])
    values: dict[str, object] = {
        "title": title(result),
        "estimate": float(result["estimate"]),
        "if_all_mended": float(result["if_all_mended"]),
        "sets": Note("of_equal_sets") if _agree_if_equal(result.attrs) else "",
    }
    copies = result["if_mended"].values[result["kind"].values == "same_ratings"]
    values |= {"copies": Note("without_copies", {"then": float(copies[-1])}) if len(copies) else ""}
    mended = values["if_all_mended"] != (float(copies[-1]) if len(copies) else values["estimate"])
    ways = {*result["mended_by"].values[result["kind"].values != "same_ratings"].tolist()} - {""}
    how = "left_out" if ways == {"left_out"} else "put_right_and_left_out"
    then = values | {"how": Note(how if "left_out" in ways else "put_right")}
    values["then"] = Note("found_then", then) if mended else ""
    if set(result["kind"].values.tolist()) <= {*_DOUBTS}:
        values["then"] = Note("found_doubts")
    yield Note(code, values)
    if code == "found":
        yield from sentences(result)
    elif result.attrs["annotators"] == 2:
        yield _two_annotators(result)
    elif _mostly_of_two(result):
        known = Note("known_answers") if Kind(result.attrs["task"]).has_one_label else ""
        values = {
            "two": result.attrs["two_rated"],
            "items": result.attrs["pairable_items"],
            "known": known,
        }
        yield Note("two_ratings", values)


def _mostly_of_two(result: xr.Dataset) -> bool:
    """Tell whether most items have two ratings; then it says little if no annotator is named."""
    return bool(2 * result.attrs["two_rated"] > result.attrs["pairable_items"])


def _two_annotators(result: xr.Dataset) -> Note:
    if result.attrs["task"] == Kind.SPANS.value:
        return Note("two_annotators_spans")
    measured = result.attrs["level"] in ("interval", "ratio")
    return Note("two_annotators_measure" if measured else "two_annotators")


def _sentence(result: xr.Dataset, one: xr.Dataset, before: float) -> Note:
    values: dict[str, object] = {
        str(name): variable.item() for name, variable in one.data_vars.items() if not variable.ndim
    }
    for name in ("since", "until"):
        if values[name] and result.attrs["continuous"]:  # the date is approximate
            values[name] = Note("about_time", {"time": values[name]})
    mended = _mended(result, one, before)
    with_all = np.isnan(float(one["left"]))
    values["mended"] = mended if with_all else Note("beside_those_left", {"mended": mended})
    sort = _sort(result)
    values |= _compared(values, sort)
    code = str(one["kind"].item())
    if code == "changed":
        has_labels = str(one["other_label"].item()) != ""
        how = "label_given_for" if one["one_way"] == 1 else "labels_confused"
        values["labels"] = Note(how, values) if has_labels else ""
        values["what"] = Note(f"of_{sort}") if sort in ("numbers", "steps") else ""
        distance = {"numbers": "_distance", "steps": "_distance", "spans": "_spans"}.get(sort, "")
        return Note(f"changed{distance}_{'since' if values['since'] else 'until'}", values)
    if code == "severe":
        shift = float(one["shift"])
        values |= {"away": abs(shift), "lower": Note("lower" if shift < 0 else "higher")}
        dated = "since" if values["since"] else "until" if values["until"] else ""
        values["from_when"] = Note(f"severe_{dated}", values) if dated else ""
    elif code == "confused_pair":
        code = code if one["mended_by"].item() else "confused_unmerged"
        has_causes_above = before != float(result["estimate"])
        values["once_right"] = Note("once_right") if has_causes_above else ""
    elif code == "scale_use":
        values["less"] = Note("less" if float(one["ratio"]) < 1 else "more")
    elif code == "one_answer":
        values |= {"names": json.loads(result.attrs["one_answer"]), "least": FEWEST}
        code = "one_label" if values["label"] else code
    elif code == "clusters":
        values["wider"] = float(np.sqrt(one["effect"]))
        if values["questions"] == 1:
            code = "clusters_or_questions"
    elif code == "hard_group":
        mended_before = (result["mended_by"].values != "").any()
        values |= {"title": title(result), "then": Note("once_mended") if mended_before else ""}
    elif code == "selective":
        values["easier"] = Note("easier" if one["easier"] else "harder")
    elif code == "self_disagreement":
        verb = "gives" if sort == "numbers" else "agrees"
        who = f"one_{verb}" if values["annotator"] else f"everybody_{verb}"
        changed = float(one["noise"]) > _CHANGED
        chance = {"noise": min(float(one["noise"]), 1.0)}
        values["who"] = Note(who, values)
        values["chance"] = Note("practice_changed") if changed else Note("chance", chance)
        if sort in ("steps", "sets"):
            code += "_in_part"
        elif not values["annotator"] and sort != "numbers":
            code += "_all"
    elif code == "guesses" and sort not in _OF_DISTANCE and float(one["guessed"]) > _ALL:
        code = "guesses_all"
    elif code == "near_ends" and not values["annotator"]:
        code = "near_ends_all"
    elif code in _OF_LABELS:
        has_several = float(one["labels"]) > 1
        values |= {
            "does": Note(f"{code}_several" if has_several else f"{code}_one", values),
            "which": Note("any_label" if has_several else "one_label_alone"),
            "any": Note("any_label_and_blank") if has_several else "",
        }
        code = "label_use_spans" if sort == "spans" else code
    return Note(f"{code}_{sort}" if code in _OF_SORT.get(sort, ()) else code, values)


_OF_DISTANCE = ("numbers", "steps", "spans")
"""Sorts of ratings for which distances are stated, and no share of guesses."""

_OF_LABELS = ("leaves_label_out", "adds_label")
"""Kinds of findings on one label or several."""

_OF_SORT = {
    "numbers": ("guesses", "self_disagreement", "selective"),
    "steps": ("guesses", "severe"),
    "spans": ("guesses", "one_answer"),
}
"""Kinds of findings with their own wording for a sort of ratings, by sort."""

_COMPARED = {
    "exchanged_labels": ("then", "agreement"),
    "guesses": ("agreement", "among_others"),
    "self_disagreement": ("with_oneself", "agreement"),
}
"""Variables that a kind of finding compares; by default "agreement" and "then"."""


def _sort(result: xr.Dataset) -> str:
    """Return the sort of ratings: numbers, spans, steps, sets, or names."""
    task, level = result.attrs["task"], result.attrs["level"]
    if task == Kind.LABELS.value:
        return "names" if level == "nominal" else "steps"
    known = {Kind.NUMBERS.value: "numbers", Kind.SPANS.value: "spans", Kind.SETS.value: "sets"}
    return known.get(task, "names")


def _compared(values: Mapping[str, object], sort: str) -> Iterator[tuple[str, object]]:
    """Yield values on how far ratings agree, or differ, and on which items."""
    one, other = (
        float(str(values[name]))
        for name in _COMPARED.get(str(values["kind"]), ("agreement", "then"))
    )
    in_part = f"in_part_{sort}" if sort in ("steps", "sets") else "in_comparisons"
    yield "first", Note(in_part, {"of": one})
    others = "in_others" if in_part == "in_comparisons" else "in_part_others"
    yield "second", Note(others, {"of": other})
    yield "apart", np.sqrt(abs(one))
    yield "among", np.sqrt(abs(other))
    some = not np.isnan(float(str(values["compared"])))
    yield "of_items", Note("three_rated_items", values) if some else Note("same_items")
    yield "on_items", Note("on_three_rated", values) if some else ""
    yield "in_documents", Note("three_rated_documents", values) if some else Note("same_documents")
    labels = [values[name] for name in ("label", "other_label", "third_label")]
    named = [Note("given_label", {"label": label}) for label in labels if label != ""]
    more = float(str(values["labels"])) - len(named)
    yield "several", named + [Note("further_labels", {"number": more})] * (more > 0)


def _mended(result: xr.Dataset, one: xr.Dataset, before: float) -> Note | str:
    """Return a note on the gain from mending, or why there is none; "" if it is unknown."""
    if not one["mended_by"].item():
        why = [name for name in ("hardly", "kept") if float(one[name]) == 1]
        return Note(f"mended_{why[0]}", {"title": title(result)}) if why else ""
    which = "all" if one["annotator"].item() else "these"
    if one["kind"].item() == "one_for_another":
        which = "label"
    elif one["since"].item() or one["until"].item():
        which = "since" if one["since"].item() else "until"
    ends = [float(one[f"gain_ci_{end}"]) for end in ("low", "high")]
    about = {name: str(one[name].item()) for name in ("annotator", "label")}
    how = _MENDED.get(str(one["kind"].item()), one["mended_by"].item())
    values = {
        "title": title(result),
        "which": Note(f"which_{which}", about),
        "from": before,
        "if_mended": float(one["if_mended"]),
        "gain": float(one["gain"]),
        "ends": Note("mended_ends", {**confidence(result), "ends": ends}),
    }
    return Note(f"mended_{how}", values | {"would_be": Note("would_be", values)})


def _remarks(result: xr.Dataset) -> Iterator[Note]:
    if questions_of(result.attrs):  # nothing was concluded
        return
    mended = result["mended_by"].values != ""
    if mended.any():
        yield Note("on_top")
    if not (mended | np.isin(result["kind"].values, _DOUBTS)).all():
        yield Note("without_gain")
    if result.attrs["annotators"] == 2:
        if result.attrs["conclusion"] == "found":
            yield _two_annotators(result)
    elif not result.attrs["three_rated"] and (
        result.attrs["conclusion"] == "found" or not _mostly_of_two(result)
    ):
        yield Note("two_cannot_tell")
    if result.attrs["task"] == Kind.SETS.value:
        yield Note("who_gives")
    column = result.attrs["errors_of"]
    exception = Note("unless_together", {"column": column}) if column else ""
    for column in json.loads(result.attrs["kinds_of_items"])[:1]:
        yield Note("kinds_of_items", {"column": column, "title": title(result)})
    yield Note("how_sure", {"sure": result.attrs["sure"], "apart": exception})
    if not result.attrs["by"]:
        yield Note("no_dates")


PAGES = {("findings",): page}
