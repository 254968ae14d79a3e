"""The page of agreement on spans: its tables, notes and next steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._types import Floats, Values
from iaa_jax.analyses.spans.conclusion import ANSWERS, KINDS
from iaa_jax.analyses.spans.declared import ANNOTATORS, DOCUMENTS as OF_DOCUMENTS, LABELS, PAIRS
from iaa_jax.analyses.spans.passage_blocks import passage_blocks
from iaa_jax.catalog import NAMES, title_of
from iaa_jax.data.kind import Kind, kind_of
from iaa_jax.data.provenance import parts_of
from iaa_jax.measure.figures import BEHIND, FIGURES
from iaa_jax.measure.shared.spans import SAME_PLACES
from iaa_jax.measure.words import FOR_SPANS, OF_FIGURES, OF_LABELS
from iaa_jax.pages import Block, Column, Page, Remarks, Table, column_of, intervals
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.pages.ratings import ratings_facts
from iaa_jax.wording import Note, load_notes
from iaa_jax.wording.figures import ERROR_AND_ENDS, Figure, Kind as CellKind, by_name
from iaa_jax.wording.formats import decimals_for

ROWS = 10
"""Default number of pairs and of annotators shown; twice as many labels are shown."""

DOCUMENTS = 5
"""Default number of documents shown."""

_BELOW = ("worst_label", "worst_annotator", "times_as_many", "times_as_long")
"""Codes of the answers that are shown below the tables."""

_OF_INTERVALS = ("few_items_of_spans", "few_items", "far_tails", "few_carriers", "wide_interval")
"""Codes of the notes on how reliable intervals are."""

_ESTIMATE, _LABEL_F1 = by_name(FIGURES)["estimate"], by_name(LABELS)["label_f1"]

_SETTLED = ("undefined", "perfect")


def page(result: xr.Dataset, *further: xr.Dataset, top: int | None = None) -> Page:
    """Return the page of a result of `iaa_jax.span_f1` and of further results on the same spans."""
    results = {"span_f1": result} | {_name(each): each for each in further}
    notes = load_notes(result.attrs["notes"])
    blocks: list[Block] = [ratings_facts(result.attrs)]
    blocks += [
        _coefficients(name, results[name]) for name in ("coefficients", "tokens") if name in results
    ]
    blocks += [
        # the answer and the table of coefficients already report F1
        replace(_averages(result), in_files=_measured(results)),
        # if annotators differ, the answer already reports the kinds
        replace(_kinds(result), in_files=result.attrs["conclusion"] not in _SETTLED),
        _labels(result, top or 2 * ROWS),
        replace(_pairs(result, top or ROWS), in_files=result.sizes["pair"] == 1),
        _annotators(result, top or ROWS),
        *_confusion(result),
        _documents(result, top or DOCUMENTS),
    ]
    if "passages" in results:
        blocks += passage_blocks(results["passages"])
    uncertain = any(note.code == "how_far_of_few" for note in notes)
    if uncertain:
        blocks = [_without_intervals(each) if isinstance(each, Table) else each for each in blocks]
    answers = [note for note in notes if note.code in ANSWERS]
    answer = [note for note in answers if note.code not in _BELOW]
    below = [note for note in answers if note.code in _BELOW]
    steps = [_next(result)] if result.attrs["conclusion"] not in _SETTLED else []
    remarks = [*_remarks(results, notes, uncertain=uncertain)]
    blocks.append(Remarks([*below, *remarks, *steps]))
    return Page("Spans", answer, blocks, FOR_SPANS, results)


def _name(result: xr.Dataset) -> str:
    if result.attrs["made_by"] == "span_f1.passages":
        return "passages"
    return "coefficients" if kind_of(result.attrs) is Kind.SPANS else "tokens"


def page_of_passages(result: xr.Dataset) -> Page:
    """Return the page of a result of `iaa_jax.span_f1.passages` alone."""
    blocks = [ratings_facts(result.attrs), *passage_blocks(result)]
    return Page("Disputed passages", [], blocks, FOR_SPANS, {"passages": result})


def _next(result: xr.Dataset) -> Note:
    read = parts_of(result, "read_as")
    questions = [str(part.values["question"]) for part in read if part.code == "read_question"]
    return Note("next_of_spans", {"question": next(iter(questions), "")})


def _measured(results: Mapping[str, xr.Dataset]) -> bool:
    """Tell whether the page has a table of coefficients."""
    return results.get("coefficients", xr.Dataset()).sizes.get("coefficient", 0) > 0


def _without_intervals(table: Table) -> Table:
    """Return the table with its unreliable intervals and standard errors only in files."""
    columns = [
        replace(column, in_files=True)
        if column.kind == "interval" or column.key.endswith("standard_error")
        else replace(column, decimals=min(column.decimals, 3))
        for column in table.columns
    ]
    return replace(table, columns=columns)


def _coefficients(name: str, result: xr.Dataset) -> Table:
    names = result["coefficient"].values.tolist()
    decimals = decimals_for(np.atleast_1d(result["standard_error"].values))
    columns = [
        Column("coefficient", "", names, "word", in_files=True),
        Column("title", "Coefficient", [title_of(each) for each in names], "word", in_words=True),
        *_figures(result, _ESTIMATE, decimals),
    ]
    caption = Note("tokens") if name == "tokens" else ""
    figure_columns, noun = FigureColumns(FIGURES, result), "coefficients"
    return figure_columns.table(name, columns, "coefficient", caption, noun, beside=BEHIND)


def _figures(result: xr.Dataset, figure: Figure, decimals: int) -> Iterator[Column]:
    start = "" if figure.name == "estimate" else f"{figure.name}_"
    yield replace(column_of(figure, result[figure.name].values), decimals=decimals)
    if result.attrs["interval"]:
        yield intervals.column(result, f"{start}ci", decimals=decimals)
        errors = result[f"{start}standard_error"].values
        yield Column(f"{start}standard_error", "SE", errors, "estimate", decimals, spare=6)


def _averages(result: xr.Dataset) -> Table:
    rows = [
        ("f1", Note("micro")),
        ("macro_f1", Note("macro")),
        ("weighted_f1", Note("weighted")),
        ("mean_pair_f1", Note("mean_of_pairs")),
        ("sd_pair_f1", Note("sd_of_pairs")),
        ("mean_document_f1", Note("mean_of_documents")),
        ("gap", Note("gap")),
    ]
    rows = [row for row in rows if row[0] == "f1" or not np.isnan(result[row[0]])]
    ends = {"estimate": "", **{end: f"_{end}" for end in ERROR_AND_ENDS}}
    figures = xr.Dataset(
        {
            key: ("average", [float(result.get(f"{name}{end}", np.nan)) for name, _ in rows])
            for key, end in ends.items()
        },
        attrs=result.attrs,
    )
    decimals = decimals_for(figures["standard_error"].values)
    titles = [title for _, title in rows]
    columns = [
        Column("average", "", [name for name, _ in rows], "word", in_files=True),
        Column("title", intervals.title(result), titles, "word", in_words=True),
        *_figures(figures, replace(_ESTIMATE, heading="F1"), decimals),
    ]
    return Table("averages", columns, noun="averages")


def _kinds(result: xr.Dataset) -> Table:
    kinds = ("strict", *KINDS)
    titles = [Note(f"kind_{kind}") for kind in kinds]
    shares = [float(result["strict_f1"]), *(float(result[f"{kind}_share"]) for kind in KINDS)]
    columns = [
        Column("kind", "", [*kinds], "word", in_files=True),
        Column("title", Note("kinds"), titles, "word", in_words=True),
        Column("share", "Spans", shares, "share"),
    ]
    return Table("kinds", columns, noun="kinds")


def _labels(result: xr.Dataset, limit: int) -> Table:
    order = np.argsort(-result["support"].values, kind="stable")
    labels = result.isel(label=order)
    decimals = decimals_for(labels["label_f1_standard_error"].values)
    column = FigureColumns(LABELS, labels)
    columns = [
        column.key("label", "Label"),
        column("support"),
    ]
    if not labels["label_f1"].isnull().all():
        columns += _figures(labels, replace(_LABEL_F1, heading=_f1(result)), decimals)
    columns.append(column("label_gap", heading=Note("gap_title"), decimals=decimals, spare=2))
    if result.attrs["interval"]:
        columns.append(intervals.column(labels, "label_gap_ci", decimals=decimals, spare=4))
    return column.table("labels", columns, "label", noun="labels, the most used first", shown=limit)


def _pairs(result: xr.Dataset, limit: int) -> Table:
    pairs = result.isel(pair=_lowest(result["pair_f1"].values))
    column = FigureColumns(PAIRS, pairs)
    columns = [
        *map(column, ("first", "second")),
        column("pair_f1", heading=_f1(result)),
        column("pair_documents", spare=1),
        column("tp", spare=2),
        column("fp", spare=3),
        column("fn", spare=3),
    ]
    return column.table("pairs", columns, "pair", noun="pairs, the lowest F1 first", shown=limit)


def _annotators(result: xr.Dataset, limit: int) -> Table:
    rows = result.isel(annotator=_lowest(result["annotator_f1"].values))
    column = FigureColumns(ANNOTATORS, rows)
    columns = [
        column.key("annotator", "Annotator"),
        column("annotator_f1"),
        column("annotator_documents", spare=1),
        column("annotator_spans", spare=2),
        column("times_as_many", spare=3),
        column("times_as_long", spare=4),
    ]
    noun = "annotators, the lowest F1 first"
    return column.table("annotators", columns, "annotator", noun=noun, shown=limit)


def _confusion(result: xr.Dataset) -> Iterator[Table]:
    names = [str(name) for name in result["label_a"].values.tolist()]
    counts = result["confusion"].values
    numbers = [str(number) for number in range(1, len(names) + 1)]
    number = Column("number", "", numbers, "word", in_words=True)
    labels = Column("label_a", "Label", names, "label")
    strict = "_strict" if result.attrs["match"] in SAME_PLACES else ""
    spans = Column("spans", "Spans", counts.sum(axis=1), "count")
    shares = _across(names, result["confusion_share"].values, "estimate")
    yield Table(
        "confusion",
        [number, labels, spans, *shares],
        Note("confusion"),
        "labels",
        notes=[Note(f"none_with_none{strict}", {"none": names[-1]})],
        whole=True,
    )
    yield Table("confusion_counts", [labels, *_across(names, counts, "count")], in_files=True)


def _across(names: Sequence[str], values: Values, kind: CellKind) -> Iterator[Column]:
    """Yield a column for each label; the headings are the numbers of the rows."""
    for column, name in enumerate(names):
        yield Column(f"with_{name}", str(column + 1), values[:, column], kind, 2)


def _documents(result: xr.Dataset, limit: int) -> Table:
    disputed = np.nan_to_num(result["document_disputed"].values, nan=-1.0)
    f1 = np.nan_to_num(result["document_f1"].values, nan=2.0)
    rows = result.isel(document=np.lexsort([f1, -disputed]))
    column = FigureColumns(OF_DOCUMENTS, rows)
    columns = [
        column.key("document", "Document"),
        column("document_disputed"),
        column("document_spans"),
        column("document_f1", heading=_f1(result)),
        column("document_annotators", spare=1),
    ]
    noun = "documents, the most disputed first"
    return column.table("documents", columns, "document", noun=noun, shown=limit)


def _lowest(figures: Floats) -> NDArray[np.intp]:
    return np.argsort(np.nan_to_num(figures, nan=2.0), kind="stable")


def _f1(result: xr.Dataset) -> str:
    """Return the heading of F1, which names the match if it is partial."""
    return intervals.title(result) if result.attrs["match"] == "partial" else "F1"


def _remarks(
    results: Mapping[str, xr.Dataset], notes: Sequence[Note], *, uncertain: bool
) -> Iterator[Note]:
    """Yield the remarks; notes on intervals are left out if ``uncertain``."""
    hidden = _OF_INTERVALS if uncertain else ()
    result = results["span_f1"]
    for name in ("coefficients", "tokens"):
        if name in results:
            coefficient_notes = load_notes(results[name].attrs["notes"])
            yield from _said(
                results[name], [note for note in coefficient_notes if note.code not in hidden]
            )
    in_table = _measured(results)
    yield from _said(
        result,
        [
            note
            for note in notes
            if note.code not in (*ANSWERS, *hidden)
            and (note.about or note.code not in OF_FIGURES or not in_table)
        ],
    )
    if result.sizes.get("item", 0) > 1 or result.sizes.get("pair", 0) > 1:
        yield Note("summed_first", {"title": _f1(result)})
    if result["label_f1"].isnull().all() and not int(result["code"]):
        yield Note("labels_ignored")
    if uncertain:
        return
    yield from intervals.description(result.attrs)
    if result.attrs["interval"]:
        random = result.attrs.get("sampling_annotators") == "random"
        yield Note("other_documents_and_annotators" if random else "other_documents")


def _said(result: xr.Dataset, notes: Sequence[Note]) -> Iterator[Note]:
    """Yield the notes; a note on estimates is preceded by the names of the coefficients."""
    for note in notes:
        if note.code in OF_FIGURES:
            about = list(note.about) or [str(result.attrs["coefficient"])]
            names = [title_of(name) if name in NAMES else name for name in about]
            yield Note("about_names", {"names": names, "note": note})
        else:
            yield intervals.with_titles(note)


FURTHER_WORDS = (OF_LABELS,)

PAGES: dict[tuple[str, ...], Callable[..., Page]] = {
    ("span_f1",): page,
    ("span_f1", "agreement"): page,
    ("span_f1", "span_f1.passages"): page,
    ("span_f1", "agreement", "span_f1.passages"): page,
    ("span_f1.passages",): page_of_passages,
}
