"""The page of findings: a sentence for each cause, and what mending it would bring."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import xarray as xr

from iaa_jax.analyses.findings.declared import FINDINGS
from iaa_jax.data.kind import Kind
from iaa_jax.data.reading import doubts_of
from iaa_jax.measure.options.label_options import UNSAID
from iaa_jax.measure.words import QUESTIONS
from iaa_jax.pages import Block, Facts, Page, Remarks
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.pages.intervals import confidence, title
from iaa_jax.pages.ratings import measured_facts
from iaa_jax.wording import Note, load_notes

_ALL = 0.995
"""Share of guesses that is called all of them."""

_OF_READING = ("doubtful_reading", "copies")
"""Kinds whose sentence is a note on how the file was read."""

_EASIER = {True: "selective_easier", False: "selective_harder"}


def page(result: xr.Dataset) -> Page:
    """The page of a result of `iaa_jax.findings`."""
    facts = measured_facts(result, UNSAID)
    said = doubts_of(result.attrs, result.attrs["items"])
    blocks: list[Block] = [Facts([row for row in facts.rows if row[1] not in said])]
    if result.sizes["finding"]:
        column = FigureColumns(FINDINGS, result)
        columns = [
            *map(column, ("kind", "annotator", "label", "other_label", "items", "p_value")),
            column("if_mended"),
            *column.with_ends("gain"),
        ]
        blocks.append(column.table("findings", columns, "finding", Note("caption"), in_files=True))
    notes = [note for note in load_notes(result.attrs["notes"]) if note.code not in QUESTIONS]
    blocks.append(Remarks([*_remarks(result), *notes]))
    return Page("Findings", [*_answer(result)], blocks, results={"": result})


def sentences(result: xr.Dataset) -> Iterator[Note]:
    """A sentence for each finding, in their order."""
    before, readings = (
        float(result["estimate"]),
        iter(doubts_of(result.attrs, result.attrs["items"])),
    )
    for row in range(result.sizes["finding"]):
        one = result.isel(finding=row)
        kind = str(one["kind"].item())
        if kind in _OF_READING:  # in the order of the notes on it
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


def _answer(result: xr.Dataset) -> Iterator[Note]:
    code = str(result.attrs["conclusion"])
    values: dict[str, object] = {
        "title": title(result),
        "estimate": float(result["estimate"]),
        "if_all_mended": float(result["if_all_mended"]),
    }
    mended = values["if_all_mended"] != values["estimate"]
    values["then"] = Note("found_then", values) if mended else ""
    yield Note(code, values)
    if code == "found":
        yield from sentences(result)


def _sentence(result: xr.Dataset, one: xr.Dataset, before: float) -> Note:
    values: dict[str, object] = {
        str(name): variable.item() for name, variable in one.data_vars.items() if not variable.ndim
    }
    values["mended"] = _mended(result, one, before)
    code = str(one["kind"].item())
    task = result.attrs["task"]
    of_numbers, of_spans = task == Kind.NUMBERS.value, task == Kind.SPANS.value
    if code == "changed":
        has_labels = str(one["other_label"].item()) != ""
        values["labels"] = Note("labels_confused", values) if has_labels else ""
        later = values["since"] != ""
        sort = "_numbers" * of_numbers + "_spans" * of_spans
        code = f"changed{sort}_{'since' if later else 'until'}"
    elif code == "selective":
        code = _EASIER[bool(one["easier"])]
    elif code == "severe":
        shift = float(one["shift"])
        values |= {"away": abs(shift), "lower": Note("lower" if shift < 0 else "higher")}
        dated = "since" if values["since"] else "until" if values["until"] else ""
        values["from_when"] = Note(f"severe_{dated}", values) if dated else ""
        code = "severe" if of_numbers else "severe_steps"
    elif code == "scale_use":
        values["less"] = Note("less" if float(one["ratio"]) < 1 else "more")
    elif code == "clusters":
        values["how"] = Note("by_cluster", {"column": values["column"]})
    elif of_numbers and code == "guesses":
        apart, among = (np.sqrt(-float(one[name])) for name in ("agreement", "among_others"))
        values |= {"apart": apart, "among": among}
        code = "guesses_numbers"
    elif of_numbers and code == "hard_group":
        code = "hard_group_numbers"
    elif code == "self_disagreement" and of_numbers:
        apart, among = (np.sqrt(-float(one[name])) for name in ("with_oneself", "agreement"))
        who = Note("one_gives" if values["annotator"] else "everybody_gives", values)
        values |= {"apart": apart, "among": among, "who": who}
        code = "self_disagreement_numbers"
    elif code == "self_disagreement" and not values["annotator"]:
        code = "self_disagreement_all"
    if code == "guesses" and float(one["guessed"]) > _ALL:
        code = "guesses_all"
    if of_spans and code in ("guesses", "leaves_label_out", "adds_label"):
        code = f"{code}_spans"
    return Note(code, values)


def _mended(result: xr.Dataset, one: xr.Dataset, before: float) -> Note | str:
    """What mending it would bring; nothing where that is not known."""
    if not one["mended_by"].item():
        return ""
    which = "all"
    if one["kind"].item() == "one_for_another":
        which = "label"
    elif one["since"].item() or one["until"].item():
        which = "since" if one["since"].item() else "until"
    ends = [float(one[f"gain_ci_{end}"]) for end in ("low", "high")]
    return Note(
        f"mended_{one['mended_by'].item()}",
        {
            "title": title(result),
            "which": Note(f"which_{which}", {"label": str(one["label"].item())}),
            "from": before,
            "if_mended": float(one["if_mended"]),
            "gain": float(one["gain"]),
            "ends": Note("mended_ends", {**confidence(result), "ends": ends}),
        },
    )


def _remarks(result: xr.Dataset) -> Iterator[Note]:
    mended = result["mended_by"].values != ""
    if mended.any():
        yield Note("on_top")
    if not (mended | np.isin(result["kind"].values, [*_OF_READING, "ordered_labels"])).all():
        yield Note("without_gain")
    if not result.attrs["three_rated"]:
        yield Note("two_cannot_tell")
    yield Note("how_sure", {"sure": result.attrs["sure"]})
    if not result.attrs["by"]:
        yield Note("no_dates")


PAGES = {("findings",): page}
"""Results that have a page of their own."""
