"""The page of a plan."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import xarray as xr

from iaa_jax._types import Attributes, Floats
from iaa_jax.analyses.plan import declared
from iaa_jax.analyses.plan.conclusion import OF_DESIGNS, SMALL_SHARE, has_own_costs, parts_of
from iaa_jax.analyses.plan.page_of_variance import one_by_one, page as page_of_variance
from iaa_jax.analyses.plan.words import FURTHER, OF_DOCUMENTS, VERDICT
from iaa_jax.data.kind import Kind, kind_of
from iaa_jax.measure.options.label_options import UNSAID
from iaa_jax.pages import Block, Column, Curve, Facts, Mark, Page, Picture, Remarks, Table
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.pages.drawing import SERIES
from iaa_jax.pages.intervals import title
from iaa_jax.pages.ratings import measured_facts
from iaa_jax.wording import Note, load_notes
from iaa_jax.wording.formats import short
from iaa_jax.wording.undecided import UNDECIDED

_MOST = 0.5
"""A share above this is most of the variance."""

_NOT_THE_PILOT_ALONE = {
    "pilot and model": "pilot_and_model",
    "pilot, at least": "pilot_at_least",
    "model": "model_alone",
}


def page(result: xr.Dataset, *, designs: bool = True) -> Page:
    """Return the page of a result of `iaa_jax.plan`.

    ``designs`` states whether to show tables of designs, too.
    """
    notes = load_notes(result.attrs["notes"])
    answer = [_unasked(result, note) for note in notes if note.code in VERDICT]
    suffices = result.attrs["conclusion"] == "pilot_suffices"
    undecided = result.attrs["conclusion"] == UNDECIDED
    designs = designs and not undecided
    remarks = [*_would_do(result, answer)] if suffices else []
    remarks += [*_telling(note for note in notes if note.code in FURTHER)]
    others = [note for note in notes if note.code not in (*VERDICT, *FURTHER)]
    # if the pilot suffices, tables of designs are in files only
    shown = designs and not suffices
    left_out = OF_DESIGNS if designs else OF_DESIGNS | {"simulations_differ"}
    others = [note for note in others if shown or note.code not in left_out]
    remarks += others
    if any(note.code == "model_does_not_fit" for note in others) and _from_pilot(result):
        remarks.append(Note("rely_on_pilot"))
    blocks: list[Block] = [_facts(result, with_option=designs), *_picture(result)]
    if np.isfinite(result["half_width"].values).any():
        if answer and not undecided and "sampling_cluster" not in result.attrs:
            answer.append(Note("items_independent"))
        needs, tables = [*_needs(result)], [*_designs(result)]
        if "simulated_standard_error" in result:
            tables.append(_simulated(result))
        if "look" in result.dims:
            tables.append(_looks(result))
        if not shown:
            tables = [replace(table, in_files=True) for table in tables]
        if suffices or undecided:
            # the answer advises no further ratings
            needs = [replace(table, in_files=True) for table in needs]
        remarks += _rests_on(result, designs=shown)
        blocks += [*needs, *tables, *_in_full(result)]
    if any(note.code == "null_out_of_reach" for note in answer):
        remarks.append(Note("next_divided"))
    elif suffices:
        together = "sampling_cluster" in result.attrs
        remarks.append(Note("next_suffices", {"if_so": "" if together else Note("if_independent")}))
    elif result.attrs["conclusion"] == "annotate":
        remarks += _next(result, answer)
    words = OF_DOCUMENTS if kind_of(result.attrs) is Kind.SPANS else {}
    return Page("Plan", answer, [*blocks, Remarks(remarks)], words, {"": result})


def _unasked(result: xr.Dataset, note: Note) -> Note:
    """Return the answer, reworded if the pilot reaches the default goal."""
    if note.code != "width_reached" or not result.attrs["goal_is_default"]:
        return note
    values = {"title": title(result), "items": float(result["pilot_items"])}
    return Note("items_fix", {**note.values, **values})


def _next(result: xr.Dataset, answer: Sequence[Note]) -> Iterator[Note]:
    aims = ("items_for_width", "items_for_null", "looks")
    items = [float(str(note.values["items"])) for note in answer if note.code in aims]
    more = max(items, default=0.0) - float(result["pilot_items"])
    if more > 0:
        yield Note("next_annotate", {"more": more})


def _would_do(result: xr.Dataset, answer: Sequence[Note]) -> Iterator[Note]:
    for note in answer:
        items = float(str(note.values.get("items", "nan")))
        if note.code == "width_reached" and items < float(result["pilot_items"]):
            yield Note("fewer_would_do", note.values)


def _telling(notes: Iterable[Note]) -> Iterator[Note]:
    """Yield the notes, but not the share of variance between items if its interval is very wide."""
    for note in notes:
        ends = note.values.get("ends")
        if note.code == "between_items" and isinstance(ends, Note):
            low, high = (float(str(ends.values[end])) for end in ("low", "high"))
            if low < SMALL_SHARE and high > _MOST:
                enough = note.values["enough"]
                if isinstance(enough, Note):
                    yield Note("enough_alone", enough.values)
                continue
        yield note


def _from_pilot(result: xr.Dataset) -> bool:
    if "simulated_on_model" not in result:
        return False
    simulated = np.isfinite(result["simulated_standard_error"].values)
    return bool((simulated & (result["simulated_on_model"].values == 0)).any())


def _facts(result: xr.Dataset, *, with_option: bool) -> Facts:
    values = {
        "estimate": float(result["estimate"]),
        "ends": [float(result["pilot_low"]), float(result["pilot_high"])],
        "confidence": result.attrs["confidence"],
    }
    pilot = Note("pilot", values)
    goals = [("Goal", goal) for goal in _goals(result.attrs, with_option=with_option)]
    return measured_facts(result, UNSAID, ("Pilot", pilot), *goals)


def _goals(attrs: Attributes, *, with_option: bool) -> Iterator[Note]:
    target = attrs.get("target_half_width")
    if target is not None:
        default = with_option and attrs["goal_is_default"]
        yield Note("goal" if default else "goal_of_width", {"target": target})
    if "null" in attrs:
        yield Note("goal_of_null", {"null": attrs["null"], "power": attrs["target_power"]})


def _needs(result: xr.Dataset) -> Iterator[Table]:
    attrs = result.attrs
    own_costs = has_own_costs(attrs)
    for part in parts_of(result):
        rows = _needs_of_goal(result, part.end)
        column = FigureColumns((*declared.NEEDS, *declared.ANNOTATORS), rows)
        ratings = column("ratings_planned", spare=3)
        columns = [
            Column("annotators", "Annotators", rows["annotators"].values, "short"),
            column("items_planned"),
            replace(ratings, values=np.ceil(rows["ratings_planned"].values)),
            column("cost_planned", in_files=not own_costs),
        ]
        caption = Note(
            "needed_for_null" if part.of_null else "needed_for_width",
            _goal(attrs, of_null=part.of_null),
        )
        some_reach = bool(np.isfinite(rows["items_planned"].values).any())
        shown = some_reach and (own_costs or attrs["components"] != "none")
        id, hidden = f"annotators{part.end}", not shown
        yield column.table(id, columns, "annotators", caption, "rows", in_files=hidden)


def _needs_of_goal(result: xr.Dataset, end: str) -> xr.Dataset:
    """Return the result with the items needed for one goal, whose ending variable names lose."""
    by_goal = [name for figure in declared.figures_by_goal(declared.NEEDS) for name in figure.names]
    of_this_goal = {
        name: result[of_goal]
        for figure in declared.NEEDS
        for name in figure.names
        if (of_goal := name.replace(figure.name, f"{figure.name}{end}", 1)) in result
    }
    return result.drop_vars(by_goal, errors="ignore").assign(of_this_goal)


def _goal(attrs: Attributes, *, of_null: bool = False) -> dict[str, object]:
    return {
        "assurance": attrs["assurance_of_power" if of_null else "assurance"],
        "half_width": attrs.get("target_half_width"),
        "null": attrs.get("null"),
        "power": attrs.get("target_power"),
    }


def _designs(result: xr.Dataset) -> Iterator[Table]:
    """Yield the table of half-widths by design and, if the goal is a power, a table of powers."""
    attrs = result.attrs
    per_item = {"per_item": float(result["annotators"][0])}
    across = Note("by_items_alone" if result.sizes["annotators"] == 1 else "by_both", per_item)
    values = {**_goal(attrs), "across": across}
    aim: Note | str = ""
    if "target_half_width" in attrs:
        aim = Note("aim", {"target": attrs["target_half_width"]})
    caption = Note("half_widths", {**values, "aim": aim})
    yield Table("half_widths", [*_across(result, "half_width", 3)], caption, "numbers of items")
    if _shows_power(result):
        aim = Note("aim", {"target": attrs["target_power"]})
        caption = Note("powers", {**values, **_goal(attrs, of_null=True), "aim": aim})
        columns = [*_across(result, "assured_power", 2, "reaches_power")]
        yield Table("powers", columns, caption, "numbers of items")


def _shows_power(result: xr.Dataset) -> bool:
    part = parts_of(result)[-1]
    return part.of_null and part.reachable


def _across(
    result: xr.Dataset, name: str, decimals: int, reaches: str = "reaches_half_width"
) -> Iterator[Column]:
    """Yield the columns of a variable by items (down) and annotators (across)."""
    yield Column("items", "Items", result["items"].values, "count")
    for column, size in enumerate(result["annotators"].values.tolist()):
        marks = result[reaches].values[:, column].tolist() if reaches in result else None
        values = result[name].values[:, column]
        yield Column(f"{name}_{short(size)}", short(size), values, decimals=decimals, marks=marks)


def _simulated(result: xr.Dataset) -> Table:
    rows = one_by_one(result)
    rows = rows.isel(design=~np.isnan(rows["simulated_standard_error"].values))
    column = FigureColumns((*declared.DESIGNS, *declared.SIMULATED), rows)

    def both(name: str, what: str, decimals: int, spare: int = 0) -> Iterator[Column]:
        for key, how in ((name, "formula"), (f"simulated_{name}", "simulated")):
            yield column(key, heading=f"{what} {how}", decimals=decimals, spare=spare)

    table = [*_design_columns(rows), *both("standard_error", "SE", 4, spare=1)]
    if "target_half_width" in result.attrs:
        table += both("half_width", "±", 3)
    if _shows_power(result):
        table += both("assured_power", "Power", 2)
    if result.attrs["model"]:
        on_model = rows["simulated_on_model"].values
        sources = ["model" if modelled else "pilot" for modelled in on_model]
        meaning = Note("based_on", {"model": result.attrs["model"]})
        table.append(Column("source", "Based on", sources, "word", spare=2, meaning=meaning))
    caption = Note("beside_formula", {"simulations": result.attrs["simulations"]})
    reachable = any(part.reachable for part in parts_of(result))
    return Table("simulated", table, caption, "designs", in_files=not reachable)


def _looks(result: xr.Dataset) -> Table:
    along = [str(name) for name in result if "look" in result[name].dims]
    rows = result[along].rename({name: name.removeprefix("look_") for name in along})
    column = FigureColumns((*declared.LOOKS, *declared.HALF_WIDTHS), rows)

    def finite(name: str) -> Floats:
        values = rows[name].values
        return np.where(np.isfinite(values), values, np.nan)

    def unless_unspent(name: str) -> Floats:
        """Return a variable, NaN while hardly any error may be spent."""
        return np.where(np.isnan(rows["replicates"].values), np.nan, finite(name))

    columns = [
        Column("look", "Look", rows["look"].values, "count"),
        column("items"),
        Column("level", "--confidence", unless_unspent("confidence"), "short"),
        column("replicates", heading="--replicates"),
        replace(column("half_width"), values=unless_unspent("half_width")),
        replace(column("single_half_width"), values=finite("single_half_width")),
    ]
    return column.table("looks", columns, "look", "Looks on the way")


def _in_full(result: xr.Dataset) -> Iterator[Table]:
    rows = one_by_one(result)
    column = FigureColumns((*declared.DESIGNS, *declared.SIMULATED), rows)
    return column.further("design", *_design_columns(rows))


def _design_columns(rows: xr.Dataset) -> Iterator[Column]:
    yield Column("items", "Items", rows["items"].values, "count")
    yield Column("annotators", "Annotators", rows["annotators"].values, "short")


def _rests_on(result: xr.Dataset, *, designs: bool) -> Iterator[Note]:
    """Yield the assumptions of the plan, and of ``designs`` if they are shown."""
    attrs = result.attrs
    reachable = any(part.reachable for part in parts_of(result))
    random = attrs.get("sampling_annotators") == "random"
    covered = Note("other_annotators" if random else "these_annotators")
    yield Note("taken_for_granted", {"covered": covered})
    cluster = attrs.get("sampling_cluster")
    if cluster is not None:
        size = float(result["pilot_items"] / result["pilot_clusters"])
        yield Note("clusters_alike", {"cluster": cluster, "size": size})
    if result.attrs.get("scale", "plain") != "plain":
        yield Note("near_one")
    if "sampling_population" in attrs:
        yield Note("population", {"population": attrs["sampling_population"]})
    if not designs:
        return
    of_width = attrs["replicates"] and reachable and "target_half_width" in attrs
    if of_width and kind_of(attrs) is Kind.NUMBERS:
        yield Note("numbers_keep_less", level="caution")
    if attrs["components"] in _NOT_THE_PILOT_ALONE:
        yield Note(_NOT_THE_PILOT_ALONE[attrs["components"]])


def _picture(result: xr.Dataset) -> Iterator[Picture]:
    items, sizes = result["items"].values, result["annotators"].values
    widths = result["half_width"].values
    shown = [column for column in range(len(sizes)) if np.isfinite(widths[:, column]).all()]
    if len(items) < 2 or not shown:
        return
    middle = min(shown, key=lambda column: abs(sizes[column] - float(result["pilot_annotators"])))
    near = sorted(shown, key=lambda column: abs(column - middle))[: len(SERIES)]
    of_middle = widths[:, middle]
    values = {
        "first": float(of_middle[0]),
        "last": float(of_middle[-1]),
        "fewest": float(items[0]),
        "most": float(items[-1]),
        "annotators": float(sizes[middle]),
    }
    target = result.attrs.get("target_half_width")
    yield Picture(
        "precision",
        "lines",
        Note("picture_precision", values),
        Note("picture_precision_of", {"assurance": float(result.attrs["assurance"])}),
        items.astype(np.float64),
        Note("picture_items_axis"),
        [
            Curve(Note("picture_annotators", {"annotators": float(sizes[k])}), widths[:, k])
            for k in sorted(near)
        ],
        marks=[] if target is None else [Mark(Note("picture_target"), y=float(target))],
        y_most=None,
    )


PAGES = {("plan",): page, ("variance",): page_of_variance}
