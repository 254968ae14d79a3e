"""The pages of items, of annotators, of labels, and of coefficients by group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import xarray as xr

from iaa_jax._types import Attributes, Values
from iaa_jax.analyses.diagnose.answers import (
    farthest,
    lowest_label,
    overall_coefficient,
    whom_to_ask,
)
from iaa_jax.analyses.diagnose.columns import (
    annotator_columns,
    group_notes,
    groups_table,
    heading,
    item_columns,
    label_columns,
)
from iaa_jax.analyses.diagnose.declared import CONFUSED, IN_JSON
from iaa_jax.analyses.diagnose.page_of_cases import (
    WORDS as OF_CASES,
    annotator_case_tables,
    label_case_tables,
)
from iaa_jax.analyses.diagnose.page_of_merges import merges_page
from iaa_jax.analyses.diagnose.page_of_repeats import repeats_page
from iaa_jax.analyses.diagnose.pictures import (
    WORDS as OF_PICTURES,
    agreement_histogram,
    confusion_heatmap,
    pair_heatmap,
)
from iaa_jax.analyses.diagnose.ranking import RANK
from iaa_jax.analyses.diagnose.words import MERGES
from iaa_jax.catalog import short_title_of, title_of
from iaa_jax.data.facts import code_for, noun_of
from iaa_jax.data.kind import Kind, kind_of
from iaa_jax.measure.options.label_options import UNSAID
from iaa_jax.measure.words import OF_FIGURES, OF_GROUPS
from iaa_jax.pages import USUAL_SHEET, Block, Column, Page, Remarks, SheetOptions, Table, intervals
from iaa_jax.pages.annotators_by_part import PART_WORDS, annotators_by_part
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.pages.intervals import title
from iaa_jax.pages.item_sheet import given_columns, sheet_of
from iaa_jax.pages.ratings import short_facts
from iaa_jax.wording import Note, load_notes
from iaa_jax.wording.figures import Kind as CellKind

ITEMS_SHOWN = 20
OTHERS_SHOWN = 50
PAIRS_SHOWN = 10
_NEAR = 1e-9
_RARER = "rarer_labels"
"""Code of the note on unranked labels, which follows the lowest label."""

_SHIFTED = "numbers_differ"
"""Code of the note on annotators whose numbers are higher or lower, which begins the answer."""

ANNOTATORS_PAIRED = 40
"""Maximum number of annotators in a table of pairs."""


def items_page(
    result: xr.Dataset, groups: xr.Dataset | None = None, *, sheet: SheetOptions = USUAL_SHEET
) -> Page:
    """Return the page of `iaa_jax.items`, perhaps with a result of `iaa_jax.agreement_by`.

    If the result has votes, the page has a sheet to fill in.
    """
    rows = _in_order(result, "item", result[RANK].values)
    attrs = result.attrs
    unmarked = attrs.get("unmarked_items", 0)
    values = {
        "disputed": attrs["disputed_items"],
        "pairable": attrs["pairable_items"],
        "tied": _tied(attrs),
        "unmarked": Note("items_unmarked", {"unmarked": unmarked}) if unmarked else "",
    }
    noun = f"{noun_of(attrs, 'item')}s"
    answer = [
        Note(code_for(result.attrs, f"items_{attrs['conclusion']}"), values),
        overall_coefficient(result, noun),
    ]
    columns = item_columns(rows)
    if "votes_by_label" in rows:
        columns = [columns[0], *given_columns(rows), *columns[1:]]
    blocks: list[Block] = [*agreement_histogram(result), _table(rows, "item", columns, ITEMS_SHOWN)]
    if "votes_by_label" in rows:
        blocks.append(_sheet(rows, all_rows=sheet.all_rows))
    blocks += FigureColumns(IN_JSON["bins"], result).further("bin", always=False)
    return _page(noun.capitalize(), answer, result, blocks, groups, sheet=sheet)


def _tied(attrs: Attributes) -> Note | str:
    tied = attrs.get("tied_items", 0)
    code = "items_tied_all" if tied == attrs["disputed_items"] else "items_tied"
    labels = "label sets" if kind_of(attrs) is Kind.SETS else "labels"
    return Note(code, {"tied": tied, "labels": labels}) if tied else ""


def _sheet(rows: xr.Dataset, *, all_rows: bool) -> Table:
    """Return the sheet for decisions on disputed and unrated items, or on all items.

    The most frequent label is suggested, unless it is tied or the only rating.
    """
    leads = (rows["tied"].values == 1) & (rows["ratings"].values > 1)
    suggested = np.where(leads, rows["most_frequent"].values, "")
    disputed = (rows["agreement"].values < 1 - _NEAR) | (rows["ratings"].values == 0)
    return sheet_of(rows, disputed | all_rows, suggested, np.full(len(suggested), "", dtype=object))


def annotators_page(result: xr.Dataset, groups: xr.Dataset | None = None) -> Page:
    """Return the page of `iaa_jax.annotators`, perhaps with a result of `iaa_jax.agreement_by`."""
    rows = _in_order(result, "annotator", result[RANK].values)
    table = _table(rows, "annotator", annotator_columns(rows), OTHERS_SHOWN)
    blocks: list[Block] = [
        *pair_heatmap(result),
        table,
        *annotator_case_tables(result),
        *_pairs(rows),
    ]
    answer = [farthest(result), overall_coefficient(result, "annotators")]
    if "rises_most" in result.attrs:
        answer.reverse()
    answer = [*_with_code(result, _SHIFTED), *answer]
    figures = []
    if "agreement" in result:
        name = "item_agreement" if "item_agreement" in result else "agreement"
        low = result[f"{name}_ci_low"].values
        method = np.full(low.shape, result.attrs["interval"])
        figures = [(Note("with_others"), method, low)]
    return _page("Annotators", answer, result, blocks, groups, figures)


def labels_page(result: xr.Dataset, groups: xr.Dataset | None = None) -> Page:
    """Return the page of `iaa_jax.labels`, perhaps with a result of `iaa_jax.agreement_by`."""
    rows = _in_order(result, "label", -result["count"].values)
    table = _table(rows, "label", label_columns(rows), OTHERS_SHOWN)
    blocks: list[Block] = [
        *confusion_heatmap(result),
        table,
        *label_case_tables(result),
        *_confusions(result),
    ]
    names = {"specific_agreement": title_of("specific_agreement"), "coefficient": title(result)}
    figures = [
        (heading, result[f"{name}_interval"].values, result[f"{name}_ci_low"].values)
        for name, heading in names.items()
        if f"{name}_interval" in result
    ]
    rarer = _with_code(result, _RARER)
    return _page("Labels", [lowest_label(result), *rarer], result, blocks, groups, figures)


def groups_page(result: xr.Dataset) -> Page:
    """Return the page of a result of `iaa_jax.agreement_by`."""
    figures = intervals.figures_of(result, title_of)
    return _page("Groups", [*group_notes(result)], result, [groups_table(result)], figures=figures)


FURTHER_WORDS = (OF_GROUPS, PART_WORDS, OF_PICTURES, OF_CASES, MERGES)

PAGES: dict[tuple[str, ...], Callable[..., Page]] = {
    ("items",): items_page,
    ("annotators",): annotators_page,
    ("labels",): labels_page,
    ("items", "agreement_by"): items_page,
    ("annotators", "agreement_by"): annotators_page,
    ("labels", "agreement_by"): labels_page,
    ("labels.merges",): merges_page,
    ("annotators.repeats",): repeats_page,
    ("agreement_by",): groups_page,
}


def _page(
    title: str,
    answer: Sequence[Note],
    result: xr.Dataset,
    shown: Sequence[Block],
    groups: xr.Dataset | None = None,
    figures: Iterable[intervals.Figure] = (),
    sheet: SheetOptions = USUAL_SHEET,
) -> Page:
    blocks: list[Block] = [short_facts(result.attrs), *shown]
    remarks = [*_noted(result)]
    results = {"": result}
    if groups is not None:
        answer = [*answer, *group_notes(groups)]
        blocks.append(groups_table(groups))
        if result.attrs["made_by"] == "annotators" and "annotator_items" in groups:
            blocks += annotators_by_part(
                groups, "group", Note("course_of", {"name": groups.attrs["by"]})
            )
        remarks += _noted(groups)
        results["by"] = groups.isel(coefficient=0, drop=True)
        figures = [*figures, *intervals.figures_of(groups, title_of)]
    remarks += intervals.descriptions((result if groups is None else groups).attrs, figures)
    if result.attrs["conclusion"] in ("disputed", "compared", "close"):
        remarks.append(_next(result.attrs, sheet))
    return Page(title, answer, [*blocks, Remarks(remarks)], results=results)


def _next(attrs: Attributes, sheet: SheetOptions) -> Note:
    made_by = attrs["made_by"]
    if made_by == "items" and sheet.is_written:
        return Note("next_items_filled", {"sheet": sheet.name})
    if made_by == "annotators" and attrs["conclusion"] == "close":
        return Note("next_close")
    if made_by != "labels":
        names = whom_to_ask(attrs) if made_by == "annotators" else []
        least = names == [attrs.get("farthest")]
        whom = Note("who_agrees_least") if least else Note("whom_named", {"names": names})
        return Note(code_for(attrs, f"next_{made_by}"), {"whom": whom})
    if kind_of(attrs) is Kind.SETS:
        return Note("next_labels_of_sets")
    merges = kind_of(attrs) is Kind.LABELS and attrs["labels"] > 2
    return Note(code_for(attrs, "next_labels_merges" if merges else "next_labels"))


def _with_code(result: xr.Dataset, code: str) -> list[Note]:
    return [note for note in load_notes(result.attrs["notes"]) if note.code == code]


def _noted(result: xr.Dataset) -> Iterator[Note]:
    """Yield the notes on a result; notes on single rows get the names of the rows."""
    attrs = result.attrs
    for note in load_notes(attrs["notes"]):
        if note.code in OF_FIGURES or note.code in OF_GROUPS:
            values = {"by": attrs.get("by", ""), "rows": note.about, "note": note}
            values["coefficient"] = short_title_of(str(attrs.get("coefficient", "")))
            yield Note(f"about_{attrs['made_by']}", values)
        elif note.code == "rows_left_out":
            yield replace(note, values={**note.values, "order": _order(result)})
        elif note.code not in (_RARER, _SHIFTED):
            yield note


def _order(result: xr.Dataset) -> Note | str:
    attrs = result.attrs
    sort = str(attrs.get("sort", ""))
    if sort != RANK:
        return Note("order_by", {"name": sort}) if sort else ""
    return Note(f"order_of_{attrs['made_by']}", {"coefficient": title(result)})


def _in_order(result: xr.Dataset, axis: str, keys: Values) -> xr.Dataset:
    """Return rows in the order requested, otherwise by ``keys``."""
    if "sort" in result.attrs:
        return result
    return result.isel({axis: np.argsort(keys, kind="stable")})


def _table(rows: xr.Dataset, axis: str, columns: Sequence[Column], most: int) -> Table:
    """Return a table of ``columns`` and columns of the ratings file; files get all variables."""
    user_columns = [
        Column(str(name), Note("own_column", {"name": str(name)}), coordinate.values, "text")
        for name, coordinate in rows.coords.items()
        if coordinate.dims == (axis,) and name != axis
    ]
    numbered = enumerate(user_columns, 1)
    listed = [*columns, *(replace(column, brief=str(k)) for k, column in numbered)]
    listed = FigureColumns(IN_JSON[f"{axis}s"], rows).with_the_rest(listed, axis)
    if "bias" in rows and rows["bias"].ndim == 2:
        listed += [
            Column(f"bias {label}", "bias", bias, in_files=True)
            for label, bias in zip(rows["label"].values, rows["bias"].values.T, strict=True)
        ]
    limit = None if "top" in rows.attrs else most
    notes = [Note("more_rows")] if limit is not None and rows.sizes[axis] > limit else []
    noun = f"{noun_of(rows.attrs, axis)}s"
    by_rank = axis == "item" and rows.attrs.get("sort", RANK) == RANK
    order = f", those that lower {title(rows)} most first" if by_rank else ""
    user_keys = [str(column.key) for column in user_columns]
    first = (axis, *user_keys) if "votes_by_label" in rows else ()
    return Table(noun, listed, "", f"{noun}{order}", limit, notes, first_in_files=first)


def _pairs(rows: xr.Dataset) -> Iterator[Table]:
    """Yield tables of kappa (for spans, the coefficient) and of shared items, by pair."""
    of_spans = kind_of(rows.attrs) is Kind.SPANS
    figure = "pair_agreement" if of_spans else "pair_kappa"
    if figure not in rows or not 3 <= rows.sizes["annotator_2"] <= ANNOTATORS_PAIRED:
        return
    # in the order of the table above; annotators outside it are the last columns
    others = rows["annotator_2"].values.tolist()
    names = list(dict.fromkeys([*rows["annotator"].values.tolist(), *others]))
    rows = rows.isel(annotator_2=[others.index(name) for name in names])
    shared = rows["pair_shared_items"].values
    of_pairs = shared[np.arange(len(shared))[:, None] != np.arange(len(names))]
    is_constant = np.unique(of_pairs).size == 1
    used = str(rows.attrs["weights"])
    weights = "" if used in UNSAID else Note("weighted", {"weights": used})
    values = {"items": of_pairs[0], "coefficient": title(rows), "weights": weights}
    caption = Note(code_for(rows.attrs, "pairs_alike" if is_constant else "pairs"), values)
    name = heading(rows).lower() if of_spans else "kappa"
    yield _matrix(f"{name}_of_pairs", caption, rows, figure, "estimate")
    if not is_constant:
        noun = f"{noun_of(rows.attrs, 'item')}s"
        caption = Note("shared", {"items": noun.capitalize()})
        yield _matrix(f"{noun}_of_pairs", caption, rows, "pair_shared_items", "count")


def _matrix(id: str, caption: Note, rows: xr.Dataset, name: str, kind: CellKind) -> Table:
    """Return a table of annotators by annotators, with numbered columns."""
    numbers = [str(number) for number in range(1, rows.sizes["annotator"] + 1)]
    columns = [
        Column("number", "", numbers, "word", spare=1),
        Column("annotator", "", rows["annotator"].values, "label", spare=1),
    ]
    for number, annotator_name in enumerate(rows["annotator_2"].values, 1):
        values = rows[name].values[:, number - 1]
        columns.append(Column(str(annotator_name), str(number), values, kind, 2, spare=1))
    return Table(id, columns, caption, "annotators", whole=True)


def _confusions(result: xr.Dataset) -> Iterator[Table]:
    if not result.attrs.get("confused_pairs"):
        return
    column = FigureColumns(CONFUSED, result.isel(pair=result["confused"].values > 0))
    one_pair = result.attrs["labels"] <= 2  # the share of a single pair is always 1
    meaning = Note(
        code_for(result.attrs, "confused"), {"share": "" if one_pair else Note("confused_share")}
    )
    columns = [
        column("confused_label_1"),
        column("confused_label_2"),
        column("confused", meaning=meaning),
        column("confused_share", in_files=one_pair),
    ]
    notes = [Note("confused_sets")] if kind_of(result.attrs) is Kind.SETS else []
    # these figures assume independent ratings, unlike the tests of merges: show them only in files
    in_files = ("confused_lift", "confused_expected")
    yield column.table(
        "confusions", columns, "pair", noun="pairs", shown=PAIRS_SHOWN, notes=notes, beside=in_files
    )
