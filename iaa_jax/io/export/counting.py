"""Selects the judgements of an export that count, and notes what was left out."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax._types import Integers, Values
from iaa_jax.data.assemble import IndexedNames
from iaa_jax.data.factorize import Column
from iaa_jax.data.notices.similar import merged_columns
from iaa_jax.io.export.answers import Span, Status
from iaa_jax.io.export.fields import TIME
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.export.question import Question
from iaa_jax.io.table.cells import BLANK, Missing, names
from iaa_jax.io.table.coded import item_names, known_cells, text_column
from iaa_jax.io.table.excluding import counted_rows, nothing_left
from iaa_jax.io.table.rows import RatingRows, left_out_notes
from iaa_jax.wording import Note, keyword, named
from iaa_jax.wording.formats import counted

_TIMED = 5  # minimum number of equal answers at equal times that suggests a copy
_UNTIMED = 20  # minimum number of equal answers, some without a time, that suggests a copy


@dataclass(frozen=True)
class Judgements:
    """The judgements on a question that count, one per row.

    Attributes
    ----------
    rows : array (row,)
        The row of each judgement among all judgements on the question.
    """

    export: Export
    question: Question
    rows: Integers

    def codes(self, name: str) -> Integers:
        """Return a column of the question, such as "items", for the judgements that count."""
        return np.array(getattr(self.question, name))[self.rows]

    def where(self, row: int) -> str:
        """Return where a judgement is in the files, for messages."""
        at = int(self.rows[row])
        return self.export.place(self.question.files[at], self.question.places[at])

    def column(self, name: str, missing: Missing) -> Column:
        """Return the code of each row for the field ``name``, and the distinct cells."""
        kept = list(self.export.kept)
        used, codes = np.unique(
            np.array(self.question.columns[name])[self.rows], return_inverse=True
        )
        (of_cell, cells), _ = known_cells(text_column([kept[k] for k in used if k >= 0]), missing)
        return np.append(of_cell, -1)[codes - (used[:1] < 0).sum()], cells

    def items(self) -> IndexedNames:
        """The item of each row, and the names of items with a row."""
        column = (self.codes("items"), list(self.export.items))
        ((codes, texts),) = merged_columns([column], self.export.options.merge_ids)
        of_name, known = item_names(text_column(list(map(str, texts))))
        return _used(np.append(of_name, -1)[codes], known)

    def as_rows(self) -> RatingRows:
        """Return the items and annotators of the judgements."""
        return RatingRows(self, self.items(), self.annotators())

    def annotators(self) -> IndexedNames:
        """The annotator of each row, and the names of annotators with a row."""
        column = (self.codes("annotators"), list(self.export.annotators))
        ((codes, known),) = merged_columns([column], self.export.options.merge_ids)
        return _used(*names((codes, known)))


def judgements_that_count(
    export: Export, question: Question, repeats: str | None = None
) -> tuple[Judgements, list[Note]]:
    """Return the judgements that count, in the order of the files, and notes on the others.

    A user who answered nothing in the whole export, for example an administrator whose file lists
    every item, is not an annotator. Marking no span is an answer, unless the export does not
    distinguish it from a document that was not begun. ``repeats`` replaces the caller's option
    ``duplicates``, which says how to treat repeated judgements.
    """
    options = export.options
    repeats = repeats or options.duplicates
    export.named_fields.check()
    if export.named_fields.keeps_all and TIME not in export.named_fields.met:
        question.kept = []
    refuse_no_text(export, question)
    rows = _not_excluded(export, question)
    times = np.array(question.times)
    order = "order_of_file" if np.isnan(times).all() else "order_of_times"
    if repeats in ("first", "last") and order == "order_of_times":
        rows = rows[np.argsort(times[rows], kind="stable")]
    notes = export.remarks.skipped
    idle = _idle(export, question)
    of_idle = np.append(idle, False)[np.array(question.annotators)[rows]]
    if of_idle.any():
        idlers = [name for name, code in export.annotators.items() if idle[code]]
        if options.anonymous:
            notes.append(Note("skipped_idle_unnamed", {"count": len(idlers)}))
        else:
            notes.append(Note("skipped_idle_annotators", {"names": idlers, "count": len(idlers)}))
        rows = rows[~of_idle]
    judgements = Judgements(export, question, rows)
    of_spans = ("combine", "votes") if question.kind == "spans" else ()
    again = judgements.as_rows().repeated(
        np.ones(len(rows), dtype=bool),
        repeats,
        options.without(*of_spans),
        export.named_by.advice_on_repeats,
    )
    if again.size:
        notes += left_out_notes(again.size, 0, repeats, order)
        rows = np.delete(rows, again)
    rows = np.sort(rows)
    skipped = np.array(question.status)[rows] == Status.SKIPPED
    if skipped.any() and options.skipped != "category":
        notes.append(_skipped_by(export, question, rows[skipped]))
    if skipped.any() and options.skipped == "drop":
        items = np.array(question.items)[rows]
        notes.append(Note("skipped_items", {"items": len(np.unique(items[skipped]))}))
        rows = rows[(items < 0) | ~np.isin(items, items[skipped])]
    empty = np.array(question.status)[rows] == Status.EMPTY
    if empty.any() and options.empty == "missing":
        notes.append(Note("skipped_empty", {"answers": int(empty.sum())}))
        rows = rows[~empty]
    return Judgements(export, question, rows), notes


def _not_excluded(export: Export, question: Question) -> Integers:
    """Return the rows of the judgements that the caller does not exclude by a field.

    Raises
    ------
    IaaError
        If all are excluded.
    """
    rows = np.arange(len(question.items))
    rules = export.named_fields.rules
    if not (rules and export.excludable):
        return rows
    may = np.isin(np.array(question.files), list(export.excludable))
    judgements = Judgements(export, question, rows[may])
    counts, export.excluded[:] = counted_rows(
        rules, lambda name: judgements.column(name, BLANK), len(judgements.rows)
    )
    may[may] = ~counts
    left = rows[~may]
    if rows.size and not left.size:
        raise nothing_left(export.sources, export.excluded)
    return left


def notes_on(export: Export, question: Question) -> list[Note]:
    """Return notes on how the export was understood."""
    options = export.options
    items, annotators = options.item or export.named_by.items, export.named_by.annotators
    if options.annotator is not None:
        annotators = options.annotator
    notes = [Note("read_export", {"tool": export.title, "form": export.form})]
    if len(export.questions) > 1 or options.question is not None:
        notes.append(Note("read_question", {"question": question.name}))
    features = [each.name for each in export.questions.values() if each.feature_of == question.name]
    if features and options.question is None:
        notes.append(Note("read_without_features", {"features": features, "count": len(features)}))
    columns = [items] if isinstance(items, str) else list(items)
    if items:
        notes.append(Note("read_items_from", {"columns": columns}))
    elif export.named_by.is_by_file:
        notes.append(Note("read_items_from_files"))
    else:
        notes.append(Note("read_items_numbered"))
    if annotators and not export.has_annotator_files:
        notes.append(Note("read_annotators_from", {"column": annotators}))
    elif export.named_by.columns and not export.has_annotator_files:
        names = export.named_by.columns
        of_columns = {"names": names, "annotators": len(names)}
        notes.append(Note("read_annotators_in_columns", of_columns))
    else:
        notes.append(Note("read_annotators_from_files"))
    return notes


def notes_on_copies(judgements: Judgements) -> list[Note]:
    """Return cautions about annotators who gave the same answers, if there are several files."""
    if len(set(judgements.codes("files").tolist())) < 2:
        return []
    times = judgements.codes("times")
    who, known = judgements.annotators()
    columns = [judgements.codes(name) for name in ("items", "values", "status")]
    order = np.lexsort((times, columns[0], who))
    ends = np.flatnonzero(np.diff(who[order])) + 1
    alike: dict[tuple[int, bytes], list[str]] = defaultdict(list)
    for rows in np.split(order, ends):
        answers = int((columns[2][rows] == Status.ANSWERED).sum())
        least = _UNTIMED if np.isnan(times[rows]).any() else _TIMED
        if answers >= least and who[rows[0]] >= 0:
            cells = b"".join(column[rows].tobytes() for column in (*columns, times))
            alike[answers, blake2b(cells).digest()].append(str(known[who[rows[0]]]))
    return [
        Note("same_judgements", {"names": names, "count": answers}, "caution")
        for (answers, _), names in alike.items()
        if len(names) > 1
    ]


def _idle(export: Export, question: Question) -> NDArray[np.bool_]:
    """Return a mask (annotator,) of annotators without an answer to any question.

    An annotator in ``export.responded`` has an answer. For spans, the mask is False throughout,
    unless the export lists documents not yet begun.
    """
    counts = question.kind == "spans" and not export.lists_unbegun
    idle = np.full(len(export.annotators), not counts)
    idle[[code for code in export.responded if code >= 0]] = False
    for question in export.questions.values():
        answered = np.array(question.status, dtype=np.int8) == Status.ANSWERED
        annotators = np.array(question.annotators)[answered]
        idle[annotators[annotators >= 0]] = False
    return idle


def _skipped_by(export: Export, question: Question, rows: Integers) -> Note:
    """Return a note on skipped judgements, with counts for the five annotators with the most."""
    if export.options.anonymous:
        return Note("skipped_unnamed", {"answers": len(rows)})
    names = list(export.annotators)
    by = np.array(question.annotators)[rows]
    counts = Counter(names[code] if code >= 0 else "" for code in by.tolist())
    most = counts.most_common(5)
    each = [Note("skipped_by", {"name": name, "count": n}) for name, n in most]
    more = len(rows) - sum(n for _, n in most)
    values = {
        "answers": len(rows),
        "by": each,
        "more": Note("skipped_by_others", {"count": more}) if more else "",
    }
    return Note("skipped_answers", values)


def _used(codes: Integers, known: Values) -> IndexedNames:
    used = np.zeros(len(known) + 1, dtype=bool)
    used[codes] = True
    lookup = np.where(used, np.cumsum(used) - 1, -1)
    lookup[-1] = -1
    return lookup[codes], known[used[:-1]]


def refuse_no_text(export: Export, question: Question) -> None:
    """Refuse names and labels with unpaired surrogates, which JSON can contain."""
    parts = (part for answer in question.answers for part in answer)
    labels = dict.fromkeys(part.label if isinstance(part, Span) else str(part) for part in parts)
    text_column([*export.annotators, *export.records, *labels, question.name])


def refuse_nobody(judgements: Judgements) -> None:
    """Refuse judgements without an annotator."""
    refuse_nameless(
        judgements,
        "annotator",
        judgements.export.named_by.advice_on_nobody
        or "if each file is of one annotator, take the names from the file names by "
        f"{keyword('file_pattern', '{annotator}.*')}; otherwise name the field with the "
        f"annotator by {named('annotator')}",
    )


def refuse_nameless(judgements: Judgements, noun: str, way_out: str) -> None:
    """Refuse judgements without an item or annotator; ``noun`` says which of the two."""
    nameless = np.flatnonzero(judgements.codes(f"{noun}s") < 0)
    if nameless.size:
        raise IaaError(
            f"{counted(len(nameless), 'judgement')} without {noun}, as in "
            f"{judgements.where(int(nameless[0]))}; {way_out}"
        )
