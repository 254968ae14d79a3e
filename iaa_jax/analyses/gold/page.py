"""The page of gold labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax.analyses.gold.conclusion import OVERSTATED, UNSURE, certainty_variable
from iaa_jax.analyses.gold.declared import ANNOTATORS, ITEMS, LABELS
from iaa_jax.analyses.gold.page_of_methods import WORDS as OF_METHODS, methods_page
from iaa_jax.analyses.gold.page_of_spans import WORDS as OF_SPANS, spans_page
from iaa_jax.catalog.labelling import METHODS, TIES
from iaa_jax.data.schema import int_if_whole
from iaa_jax.measure.shared.decisions import ADJUDICATED, CONTROL, NO_MAJORITY
from iaa_jax.measure.shared.distribution import BINS
from iaa_jax.pages import (
    USUAL_SHEET,
    Block,
    Column,
    Page,
    Paragraph,
    Picture,
    Remarks,
    SheetOptions,
    Table,
    intervals,
)
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.pages.generic import SHOWN
from iaa_jax.pages.intervals import confidence, ends_of
from iaa_jax.pages.item_sheet import (
    given_columns,
    own_columns,
    sets_as_filled_in,
    sheet_of,
)
from iaa_jax.pages.pictures import bars_of
from iaa_jax.pages.ratings import short_facts
from iaa_jax.wording import Note, load_notes

_UNGIVEN = ("labels_given_by_nobody", "sets_given_by_nobody")
"""Codes of notes about labels that no annotator gave.

These notes stand at the top of the page (its answer), not among the remarks.
"""

_MARKS = ("none", "tied", "one_vote")
"""Codes of marks on gold labels in the table."""


def page(result: xr.Dataset, top: int = SHOWN, sheet: SheetOptions = USUAL_SHEET) -> Page:
    """Return the page of gold labels, the least certain first, and annotators by skill.

    The sheet has the items that are disputed, uncertain or without a label (except control items),
    and the items that are already adjudicated. With ``sheet.all_rows`` it has all items.
    """
    open_ties = sheet.ties_apart and result.attrs["ties"] == TIES[0] and "holds" not in result
    notes = [note for note in load_notes(result.attrs["notes"]) if note.code not in _UNGIVEN]
    if "expected_right" in result:
        notes.insert(0, Note("overstated", {"overstated": OVERSTATED}))
    blocks: list[Block] = [
        short_facts(result.attrs),
        *_drawn(result),
        _items(result, top, open_ties=open_ties),
        _sheet(result, all_rows=sheet.all_rows),
        _labels(result),
        *([Paragraph(leaders)] if (leaders := [*_reliable(result)]) else []),
        *_annotators(result, top),
        *FigureColumns(BINS, result).further("bin", always=False),
        Remarks([*notes, *_next(result, sheet)]),
    ]
    return Page(
        "Gold labels", [*_answer(result, open_ties=open_ties)], blocks, results={"": result}
    )


def _drawn(result: xr.Dataset) -> Iterator[Picture]:
    if result.sizes.get("bin", 0) < 2:
        return
    subtitle, axis = Note("picture_items_by_certainty"), Note("picture_certainty_axis")
    of_votes = "_votes" if _is_of_votes(result) else ""
    heading = Note(f"picture_certainty{of_votes}", {"certainty": result.attrs["mean_certainty"]})
    yield bars_of(result, "items_by_certainty", heading, subtitle, axis, in_percent=bool(of_votes))


def _answer(result: xr.Dataset, *, open_ties: bool) -> Iterator[Note]:
    attrs = {str(name): value for name, value in result.attrs.items()}
    thin = attrs["one_vote_items"]
    labels = [str(label) for label in result["label"].values.tolist()]
    tied = {
        "items": attrs["tied_items"],
        "labels": labels,
        "end": labels[0],
        "ordered": Note("taken_lower", {"end": labels[0]}) if attrs["labels_ordered"] else "",
        "became": Note("ties_became", attrs) if attrs.get("ties_became_items", 0) > 1 else "",
    }
    method = METHODS[str(attrs["method"])]
    taken = 0 if attrs["ties"] == "none" else attrs["tied_items"]
    gold = attrs["gold_items"] - (0 if "holds" in result else taken)
    unknown = "" if method.modelled else Note("thin_unknown", {"items": thin})
    values = {
        **attrs,
        "clear": attrs["gold_items"] - taken,
        "half": Note("half_or_experts" if method.strict else "half"),
        "taken": Note("taken_apart" if open_ties else f"taken_{attrs['ties']}", tied),
        "source": _source(result, gold, method.in_words),
        "thin": Note("and_thin", {"items": thin, "unknown": unknown}) if thin else "",
    }
    if np.isnan(attrs["least_certainty"]) and (result["decided_by"].values == CONTROL).any():
        yield Note("gold_known", values)
    else:
        yield Note(f"gold_{attrs['conclusion']}{_set_suffix(result)}", values)
    if "expected_right" in result:
        yield _claimed(result)
    if not np.isnan(attrs["mean_certainty"]):
        yield _how_sure(result)
    yield from (note for note in load_notes(attrs["notes"]) if note.code in _UNGIVEN)
    if "decided_by_one_vote" in result:
        fragile = result["decided_by_one_vote"].values
        ties = fragile & (result["tied"].values == 1) if taken else np.zeros_like(fragile)
        if (fragile & ~ties).any():
            on_vote = int_if_whole(float(_weight(result)[fragile & ~ties].sum()))
            yield Note("fragile", {"on_vote": on_vote, "more": Note("more") if ties.any() else ""})
    if "control_items" in result:
        yield _controlled(result)


def _source(result: xr.Dataset, gold: float, method: str) -> Note:
    decided = int_if_whole(float(_weight(result)[result["decided_by"].values == ADJUDICATED].sum()))
    values = {"others": int_if_whole(gold - decided), "decided": decided, "method": method}
    if not decided:
        return Note("by_method", values)
    return Note("by_method_and_people" if values["others"] else "by_people", values)


def _how_sure(result: xr.Dataset) -> Note:
    attrs = result.attrs
    values = {"certainty": attrs["mean_certainty"], "lowest": attrs["least_certainty"]}
    values |= {"items": attrs["unsure_items"], "unsure": UNSURE}
    is_partial = attrs["one_vote_items"] and not METHODS[str(attrs["method"])].modelled
    values["several"] = Note("of_several_votes") if is_partial else ""
    if (result["decided_by"].values == ADJUDICATED).any():
        values["several"] = Note("of_undecided_several" if is_partial else "of_undecided")
    of_votes = "_votes" if _is_of_votes(result) else ""
    return Note(f"{'how_sure' if attrs['unsure_items'] else 'sure'}{of_votes}", values)


def _is_of_votes(result: xr.Dataset) -> bool:
    return _certainty(result).code == "certainty_of_votes"


def _claimed(result: xr.Dataset) -> Note:
    ends = ends_of(result, "expected_right")
    values: dict[str, object] = {"right": float(result["expected_right"]), "ends": ends}
    heading = Note("interval_heading", confidence(result))
    return Note("claimed", {**values, "interval_heading": heading})


def _next(result: xr.Dataset, sheet: SheetOptions) -> Iterator[Note]:
    values = {"sheet": sheet.name}
    if sheet.is_written and _is_open(result).any():
        yield Note(f"next_filled{_set_suffix(result)}", values)
    elif result.attrs["conclusion"] == "tied" or result.attrs["unsure_items"]:
        yield Note(f"next_sheet{_set_suffix(result)}", values)
    elif (result["decided_by"].values == ADJUDICATED).any():
        yield Note("next_gold")
    elif leaders := _leaders(result, "control", "control_agreement"):
        yield Note("next_control", leaders)
    elif "control_items" not in result and "holds" not in result:
        yield Note("next_known")


def _weight(result: xr.Dataset) -> NDArray[np.float64]:
    if "item_weight" in result:
        return np.asarray(result["item_weight"].values, dtype=np.float64)
    return np.ones(result.sizes["item"])


def _controlled(result: xr.Dataset) -> Note:
    known = result["decided_by"].values == CONTROL
    items = {"items": int_if_whole(float(_weight(result)[known].sum()))}
    leaders = _leaders(result, "control", "control_agreement")
    return Note("controlled", items | leaders) if leaders else Note("controlled_alike", items)


def _leaders(result: xr.Dataset, what: str, figure: str) -> dict[str, object]:
    """Return the best and weakest annotator by a variable; empty if the result names none."""
    if f"best_by_{what}" not in result.attrs:
        return {}
    names = {which: result.attrs[f"{which}_by_{what}"] for which in ("best", "weakest")}
    of_annotators = result[figure].sel(annotator=[*names.values()]).values
    return names | {"most": of_annotators[0], "least": of_annotators[1]}


def _set_suffix(result: xr.Dataset) -> str:
    return "_sets" if "holds" in result else ""


def _reliable(result: xr.Dataset) -> Iterator[Note]:
    leaders = _leaders(result, "skill", "skill")
    if leaders:
        least = result.attrs["skilled_from"]
        enough = Note("with_enough", {"ratings": least}) if least else ""
        perhaps = "_perhaps" if result.attrs.get("skills_overlap") else ""
        yield Note(f"whom_to_follow{perhaps}", leaders | {"enough": enough})


def _in_order(result: xr.Dataset) -> xr.Dataset:
    certainty = np.nan_to_num(result[certainty_variable(result)].values, nan=-1.0)
    return result.isel(item=np.lexsort((result["margin"].values, certainty)))


def _items(result: xr.Dataset, top: int, *, open_ties: bool) -> Table:
    figure = certainty_variable(result)
    rows = _in_order(result)
    # sets are long, so they are not marked as tied or having one vote: another column has the
    # labels in doubt
    single = "holds" not in rows
    tied, thin = rows["tied"].values & single, (rows["votes"].values == 1) & single
    is_marked = (~_has_gold(rows), tied, thin)
    marks = np.select(is_marked, [1, 2, 3], 0)
    codes = [f"{code}_apart" if open_ties and code == "tied" else code for code in _MARKS]
    gold = [
        Note(codes[mark - 1], {"label": label}) if mark else label
        for mark, label in zip(marks.tolist(), rows["gold"].values, strict=True)
    ]
    column, label_columns = FigureColumns(ITEMS, rows), [*given_columns(rows)]
    certain = column(figure, meaning=_certainty(result))
    if _is_of_votes(result):  # in percent, as in the answer
        certain = replace(certain, kind="share")
    columns = [
        column.key("item", "Item"),
        *own_columns(rows),
        # for sets, the votes come after the gold set
        *(label_columns if single else ()),
        Column("suggested", "Gold", gold, "label" if single else "text", in_words=True),
        *_gold_in_files(rows, open_ties=open_ties),
        *(() if single else label_columns),
        certain,
        column("votes", spare=4),
    ]
    if figure != "certainty":
        columns.append(column("certainty", in_files=True))
    if "stable" in rows:
        of_model = "_of_model" if METHODS[str(rows.attrs["method"])].modelled else ""
        columns.append(column("stable", spare=3, meaning=Note(f"stable_share{of_model}")))
    columns += _depends_on(rows)
    noun = "items, the least certain first"
    own = [column.key for column in own_columns(rows)]
    first = ("item", "gold", "tied", figure, "votes", *own)
    return column.table("items", columns, "item", noun=noun, shown=top, first_in_files=first)


def _has_gold(rows: xr.Dataset) -> NDArray[np.bool_]:
    has_gold = rows["gold"].values != "" if "holds" in rows else rows["gold_code"].values >= 0
    return np.asarray(has_gold)


def _without_majority(rows: xr.Dataset) -> NDArray[np.bool_]:
    return np.asarray(rows["decided_by"].values == NO_MAJORITY)


def _gold_in_files(rows: xr.Dataset, *, open_ties: bool) -> Iterator[Column]:
    """Yield the columns of gold labels and of tied labels, which are shown in files only.

    With ``open_ties``, tied items have no gold label. An empty set, if no label has a majority, is
    not written as gold.
    """
    column = FigureColumns(ITEMS, rows)
    tied = rows["tied"].values
    unknown = (tied & open_ties) | _without_majority(rows)
    labels = [str(label) for label in rows["label"].values.tolist()]
    front = rows["winner"].values & (~rows["holds"].values if "holds" in rows else True)
    names = np.full(len(tied), "", dtype=object)
    for row in np.flatnonzero(tied).tolist():
        names[row] = " / ".join(labels[code] for code in np.flatnonzero(front[row]))
    no_label = None if rows["gold"].dtype.kind in "iuf" else ""
    empty: tuple[tuple[str, Any], ...] = (("gold", no_label), ("gold_code", -1))
    for name, none in empty:
        known = column(name, in_files=True) if name in rows else None
        if known is not None and unknown.any():
            values = np.where(unknown, none, np.asarray(known.values, dtype=object))
            known = replace(known, values=values.tolist())
        if known is not None:
            yield known
    yield Column("tied", "Tied", names, "text", in_files=True)


def _is_open(result: xr.Dataset) -> NDArray[np.bool_]:
    """Tell which items are disputed, uncertain or without a label, and not decided by people."""
    unsure = result[certainty_variable(result)].values < UNSURE
    by_somebody = np.isin(result["decided_by"].values, (CONTROL, ADJUDICATED))
    return np.asarray((result["disputed"].values | unsure | ~_has_gold(result)) & ~by_somebody)


def _sheet(result: xr.Dataset, *, all_rows: bool) -> Table:
    rows = _in_order(result)
    decided = rows["decided_by"].values == ADJUDICATED
    has_label = _has_gold(rows) & ~rows["tied"].values & ~decided
    if "holds" in rows:
        answers = sets_as_filled_in(rows["holds"].values, _has_gold(rows), rows["label"].values)
        has_label = _has_gold(rows) & ~decided & ~_without_majority(rows)
    else:
        answers = np.where(_has_gold(rows), rows["gold"].values.astype(object), "")
    suggested, adjudicated = np.where(has_label, answers, ""), np.where(decided, answers, "")
    return sheet_of(rows, _is_open(rows) | decided | all_rows, suggested, adjudicated)


def _depends_on(rows: xr.Dataset) -> Iterator[Column]:
    on_vote = (
        rows["decided_by_one_vote"].values
        if "decided_by_one_vote" in rows
        else np.zeros(0, dtype=bool)
    )
    whose = rows["decisive_annotator"].values if "decisive_annotator" in rows else [""]
    if not on_vote.any() and not any(whose):
        return
    texts = [
        Note("on_one_vote") if vote else name
        for vote, name in zip_longest(on_vote.tolist(), whose, fillvalue="")
    ]
    meaning = Note("depends_on_meaning")
    yield Column("hangs", "Depends on", texts, "text", spare=5, in_words=True, meaning=meaning)


def _certainty(result: xr.Dataset) -> Note:
    if "holds" in result:
        return Note("certainty_of_sets")
    method = METHODS[str(result.attrs["method"])]
    if method.modelled:
        of_replicates = certainty_variable(result) != "certainty"
        return Note("certainty_of_replicates" if of_replicates else "certainty_of_model")
    return Note("certainty_of_weights" if method.weighted else "certainty_of_votes")


def _labels(result: xr.Dataset) -> Table:
    order = np.lexsort((-result["vote_share"].values, -result["gold_count"].values))
    rows = result.isel(label=order)
    column = FigureColumns(LABELS, rows)
    figures = map(column, ("gold_count", "gold_share", "vote_share"))
    return column.table("labels", [column.key("label", "Label"), *figures], "label", shown=SHOWN)


def _annotators(result: xr.Dataset, top: int) -> Iterator[Table]:
    if "skill" not in result or np.isnan(result["skill"].values).all():
        return
    method = str(result.attrs["method"])
    skill = Note("skill", {"skill": METHODS[method].skill})
    if "holds" in result:
        skill = Note(f"skill_{method}_sets")
    rows = result.isel(annotator=np.argsort(result["skill"].values, kind="stable"))
    column = FigureColumns(ANNOTATORS, rows)
    columns = [column.key("annotator", "Annotator"), column("skill", meaning=skill)]
    if "skill_ci_low" in rows:
        columns.append(intervals.column(rows, "skill_ci"))
    if "control_items" in rows:
        columns.append(column("control_agreement"))
        columns.append(column("control_items", spare=5))
    if "agreement" in rows:
        # for some methods, skill is the agreement itself
        again = np.array_equal(rows["skill"].values, rows["agreement"].values, equal_nan=True)
        columns += [
            column("agreement", spare=2, in_files=again),
            column("kappa", spare=1),
        ]
    if "gold_changed" in rows:
        columns.append(column("gold_changed", spare=4))
    columns.append(column("ratings", spare=3))
    noun = "annotators, the weakest first"
    yield column.table("annotators", columns, "annotator", noun=noun, shown=top)


FURTHER_WORDS = (OF_METHODS, OF_SPANS)

PAGES = {("gold",): page, ("gold.methods",): methods_page, ("gold.spans",): spans_page}
