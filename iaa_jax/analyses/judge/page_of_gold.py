"""The part of the judges' page that compares annotators with gold labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import xarray as xr

from iaa_jax.analyses.judge.declared import AGAINST_GOLD, BY_GOLD_LABEL
from iaa_jax.data.kind import Kind
from iaa_jax.measure.requests.floors import ANNOTATOR_RATINGS
from iaa_jax.pages import Block, Column, Table, Text
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.pages.intervals import both_ends, confidence, drawn, ends_of
from iaa_jax.wording import Note

_CONFUSIONS = 12
"""Maximum number of annotators whose labels are tabulated by gold label."""

_BY_LABEL, _CONFUSED = 30, 10
"""Maximum numbers of rows by label, and of confusions, that a page shows."""


def answer_of_judges(result: xr.Dataset, judges: Sequence[str]) -> Iterator[Note]:
    """State how often each judge gives the gold label, and how often people do."""
    if result.attrs["conclusion"] == "nobody":
        yield Note("against_gold_nobody")
        return
    of_people = result["accuracy"].where(~result["annotator"].isin(list(judges)), drop=True)
    known = of_people.values[~np.isnan(of_people.values)]
    people: Note | str = ""
    if known.size:
        code = "people_against_gold" if known.size > 1 else "person_against_gold"
        people = Note(code, {"least": float(known.min()), "most": float(known.max())})
    for name in judges:
        of = result.sel(annotator=name)
        known_accuracy = not np.isnan(float(of["accuracy"]))
        code = _wording(result, "judge_against_gold") if known_accuracy else "judge_without_gold"
        yield Note(code, {"name": name, **_accuracy(of), "people": people})


def _wording(result: xr.Dataset, code: str) -> str:
    """Return the code of a sentence, which has another wording for label sets."""
    return f"{code}_sets" if Kind(result.attrs["task"]) is Kind.SETS else code


def _accuracy(of: xr.Dataset) -> dict[str, object]:
    ends = ends_of(of, "accuracy")
    no_width = np.isnan(ends).any() or ends[0] == ends[1]
    return {
        "accuracy": float(of["accuracy"]),
        "items": float(of["items_compared"]),
        "ends": "" if no_width else Note("accuracy_ends", {"ends": ends, **confidence(of)}),
    }


def answer_of_gold(result: xr.Dataset) -> Iterator[Note]:
    """State the annotators with the highest and the lowest accuracy."""
    code = str(result.attrs["conclusion"])
    if code in ("nobody", "few"):
        yield Note(f"against_gold_{code}", {"least": ANNOTATOR_RATINGS})
        return
    rivals = result.attrs["best_rivals"]
    unsure = Note("best_unsure", {"rivals": rivals}) if rivals else ""
    for rank in ("best", "weakest"):
        of = result.sel(annotator=result.attrs[rank])
        values = {"name": result.attrs[rank], **_accuracy(of), "kappa": float(of["kappa"])}
        sentence = (
            _wording(result, "against_gold_best") if rank == "best" else "against_gold_weakest"
        )
        yield Note(sentence, {**values, "unsure": unsure})
        if code == "one":
            return


def fact_of_gold(result: xr.Dataset) -> tuple[Text, Text]:
    """State for how many items gold labels are known, and whether they are certain."""
    values = {"known": float(result.attrs["known"]), "items": result.attrs["items"]}
    code = "gold_certain" if result.attrs["certain"] else "gold_uncertain"
    return "Gold labels", Note(code, values)


def blocks_of_gold(result: xr.Dataset, judges: Sequence[str]) -> list[Block]:
    """Tabulate accuracy by annotator and by label, and the most frequent confusions.

    If there are ``judges``, the page shows only theirs by label; people's are in files. The tables
    of labels given for each gold label are in files, too.
    """
    attrs = result.attrs
    rows = result.isel(annotator=np.argsort(-result["accuracy"].values, kind="stable"))
    certain = attrs["certain"]
    meaning = _wording(result, "accuracy_meaning") if certain else "uncertain_accuracy_meaning"
    column = FigureColumns(AGAINST_GOLD, rows)
    columns = [
        column.key("annotator", "Annotator"),
        column("items_compared", spare=3),
        *column.with_ends("accuracy", meaning=Note(meaning)),
        *column.with_ends("kappa", spare=1),
    ]
    caption = Note("against_gold_caption")
    figures = column.table("against_gold", columns, "annotator", caption, "annotators")
    shown = judges or rows["annotator"].values.tolist()
    blocks: list[Block] = [figures, _by_label(rows, shown)]
    if "confusion" in rows:
        tabulated = range(rows.sizes["annotator"])[:_CONFUSIONS]
        blocks += [_most_confused(rows, shown), *(_confusion(rows, at) for at in tabulated)]
    return blocks


def _by_label(rows: xr.Dataset, shown: Sequence[str]) -> Table:
    names = [name for figure in BY_GOLD_LABEL for name in figure.names if name in rows]
    of_labels = rows[names].stack(row=("annotator", "gold_label"), create_index=False)
    of_labels = of_labels.isel(row=~np.isnan(of_labels["f1"].values))
    column = FigureColumns(BY_GOLD_LABEL, of_labels)
    columns = [
        column.key("annotator", "Annotator"),
        column.key("gold_label", "Label"),
        _items(column, rows),
        column("precision"),
        column("recall"),
        *column.with_ends("f1"),
    ]
    of_shown = np.flatnonzero(np.isin(of_labels["annotator"].values, list(shown)))
    caption, noun = Note("by_label_caption"), "rows"
    return column.table(
        "by_gold_label", columns, "row", caption, noun, of_shown[:_BY_LABEL].tolist()
    )


def _most_confused(rows: xr.Dataset, shown: Sequence[str]) -> Table:
    of = rows[["confusion", "items_of_label"]].sel(annotator=list(shown))
    of["items_of_label"] = of["items_of_label"] * of["confusion"]
    of = of.stack(row=("annotator", "gold_label", "label"), create_index=False)
    number = np.nan_to_num(of["items_of_label"].values)
    number[of["gold_label"].values == of["label"].values] = 0
    order = np.argsort(-number, kind="stable")
    of = of.isel(row=order[: min(_CONFUSED, int((number > 0).sum()))])
    column = FigureColumns(AGAINST_GOLD, of)
    columns = [
        column.key("annotator", "Annotator"),
        column.key("gold_label", "Gold label"),
        column.key("label", "Given"),
        replace(_items(column, rows), key="items"),
        column("confusion", heading="Share", meaning=Note("confused_meaning")),
    ]
    return Table("most_confused", columns, Note("most_confused_caption"), "confusions")


def _items(column: FigureColumns, rows: xr.Dataset) -> Column:
    items = column("items_of_label")
    return items if rows.attrs["certain"] else replace(items, kind="estimate")


def _confusion(rows: xr.Dataset, at: int) -> Table:
    of = rows.isel(annotator=at)
    column = FigureColumns(AGAINST_GOLD, of)
    columns = [column.key("gold_label", "Gold label"), _items(column, rows)]
    for label in of["label"].values.tolist():
        of_label = of.sel(label=label)
        share = FigureColumns(AGAINST_GOLD, of_label)("confusion", heading=str(label))
        columns.append(replace(share, key=f"given_{label}"))
        ends = both_ends(of_label, "confusion_ci")
        columns.append(
            Column(f"given_{label}_ci", "Interval", ends, "share_interval", in_files=True)
        )
    caption = Note("confusion_caption", {"name": str(of["annotator"].item())})
    table = column.table(f"confusion_{at + 1}", columns, "gold_label", caption, "gold labels")
    return replace(table, in_files=True)


def remarks_of_gold(result: xr.Dataset) -> Iterator[Note]:
    """State how the intervals were computed."""
    code = "gold_drawn_certain" if result.attrs["certain"] else "gold_drawn"
    yield from drawn(code, result.attrs)
