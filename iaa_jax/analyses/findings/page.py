"""The page of findings: a sentence for each cause, and what mending it would bring."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import xarray as xr

from iaa_jax.analyses.findings.declared import FINDINGS
from iaa_jax.data.kind import Kind
from iaa_jax.measure.options.label_options import UNSAID
from iaa_jax.pages import Block, Page, Remarks
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.pages.intervals import confidence, title
from iaa_jax.pages.ratings import measured_facts
from iaa_jax.wording import Note, load_notes

_ALL = 0.995
"""Share of guesses that is called all of them."""

_EASIER = {True: "selective_easier", False: "selective_harder"}


def page(result: xr.Dataset) -> Page:
    """The page of a result of `iaa_jax.findings`."""
    blocks: list[Block] = [measured_facts(result, UNSAID)]
    if result.sizes["finding"]:
        column = FigureColumns(FINDINGS, result)
        columns = [
            *map(column, ("kind", "annotator", "label", "other_label", "items", "p_value")),
            column("if_mended"),
            *column.with_ends("gain"),
        ]
        blocks.append(column.table("findings", columns, "finding", Note("caption"), in_files=True))
    blocks.append(Remarks([*_remarks(result), *load_notes(result.attrs["notes"])]))
    return Page("Findings", [*_answer(result)], blocks, results={"": result})


def sentences(result: xr.Dataset) -> Iterator[Note]:
    """A sentence for each finding, in their order."""
    before = float(result["estimate"])
    for row in range(result.sizes["finding"]):
        one = result.isel(finding=row)
        yield _sentence(result, one, before)
        if not np.isnan(float(one["if_mended"])):
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
    if code == "guesses" and float(one["guessed"]) > _ALL:
        code = "guesses_all"
    if of_spans and code in ("guesses", "leaves_label_out", "adds_label"):
        code = f"{code}_spans"
    return Note(code, values)


def _mended(result: xr.Dataset, one: xr.Dataset, before: float) -> Note | str:
    """What mending it would bring; nothing where that is not known."""
    if np.isnan(float(one["if_mended"])):
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
    mended = ~np.isnan(result["if_mended"].values)
    if mended.any():
        yield Note("on_top")
    if not mended.all():
        yield Note("without_gain")
    if not result.attrs["three_rated"]:
        yield Note("two_cannot_tell")
    yield Note("how_sure", {"sure": result.attrs["sure"]})
    if not result.attrs["by"]:
        yield Note("no_dates")


PAGES = {("findings",): page}
"""Results that have a page of their own."""
