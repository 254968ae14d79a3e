"""Converts the judgements of an export to a long table, with a row per judgement or span."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np
import pandas as pd

from iaa_jax._errors import IaaError, OptionError, shown
from iaa_jax._types import Integers, Values
from iaa_jax.data.notices.similar import merged_columns, merged_lists
from iaa_jax.io.export.answers import Span, Status
from iaa_jax.io.export.choice import ANY, choose
from iaa_jax.io.export.counting import Judgements, judgements_that_count, notes_on, refuse_nameless
from iaa_jax.io.export.judgements import RECORD, Export
from iaa_jax.io.export.ratings import without_missing
from iaa_jax.io.table.cells import BLANK
from iaa_jax.wording import Note, keyword, named

ANSWERED, EMPTY, SKIPPED, MISSING = "answered", "empty", "skipped", "missing"
"""Values of ``status``; the last is for labels that the caller declared as "not rated"."""

_OF_MISSING = len(Status)  # the code of MISSING, after the codes of `Status`

_SPAN = ("start", "end", "label", "unit")
_OWN = (
    *("item", "document", "annotator", "label", "status", "question", "time", "record"),
    *("judgement", *_SPAN),
)


def long_of(export: Export, repeats: str | None) -> tuple[pd.DataFrame, list[Note], list[Note]]:
    """Return the table of the chosen question, with notes on how it was read and what was left out.

    All repeated judgements are in the table, unless ``repeats`` says which ones are kept.
    """
    options = export.options
    question = choose(export, ANY)
    taken = [name for name in question.kept if name in _OWN and name != RECORD]
    if taken:
        raise OptionError(f"{keyword('keep', taken[0])} names a column that the table has anyway")
    judgements, skipped = judgements_that_count(export, question, repeats or "combine")
    refuse_nameless(judgements, "item", f"name a field that every record has by {named('item')}")
    status = judgements.codes("status")
    # skipped judgements need no note: the table has rows for them
    skipped = [note for note in skipped if note.code != "skipped_answers"]
    words = np.array([ANSWERED, EMPTY, SKIPPED, MISSING], dtype=object)
    columns: dict[str, Values] = {
        "document" if question.kind == "spans" else "item": _named(judgements.items()),
        "annotator": _named(judgements.annotators()),
    }
    further: dict[str, Values] = {}
    if len(export.questions) > 1 or options.question is not None:
        further["question"] = np.full(len(status), question.name, dtype=object)
    times = np.array(question.times)[judgements.rows]
    if not np.isnan(times).all():
        further["time"] = times
    records = judgements.codes("records")
    if (records >= 0).any():
        further["record"] = _named((records, [*export.records]))
    for name in question.kept:
        codes, cells = judgements.column(name, BLANK)
        further.setdefault(name, _named((codes, cells)))
    if question.kind != "spans":
        labels, status = _labels(judgements, status)
        table = _table(columns | {"label": labels, "status": words[status]} | further)
    else:
        if _table(columns).duplicated().any():
            further["judgement"] = np.arange(1, len(status) + 1)
        table = _span_rows(_table(columns | {"status": words[status]} | further), judgements)
    table.attrs["sets"] = int(question.kind != "spans" and question.takes_sets)
    return table, notes_on(export, question), skipped


def _labels(judgements: Judgements, status: Integers) -> tuple[Values, Integers]:
    """Return the label of each judgement as text (a label set as JSON), and its status."""
    question, options = judgements.question, judgements.export.options
    answers, none = without_missing([tuple(map(str, a)) for a in question.answers], options)
    codes = judgements.codes("values").astype(np.int64)
    is_set = question.takes_sets
    _refuse_undeclared(judgements, answers, codes)
    merged = merged_lists(list(answers), options.merge_labels, options.labels)
    if not is_set:  # a label without visible characters counts as not rated
        none = none | np.array([answer == ("",) for answer in merged], dtype=bool)
    is_missing = np.append(none, False)[codes]
    status = np.where((status == Status.ANSWERED) & is_missing, _OF_MISSING, status)
    texts = [_text(answer, is_set=is_set) for answer in merged]
    counts = status < Status.SKIPPED if is_set else status == Status.ANSWERED
    codes = np.where(counts, codes, -1)
    return _named((codes, texts)), status


def _span_rows(table: pd.DataFrame, judgements: Judgements) -> pd.DataFrame:
    answers = cast("list[tuple[Span, ...]]", [*judgements.question.answers])
    rows: list[int] = []
    marked: list[tuple[object, ...]] = []
    for row, code in enumerate(judgements.codes("values").tolist()):
        spans: Sequence[Span | None] = answers[code] or (None,)
        if judgements.question.status[judgements.rows[row]] == Status.SKIPPED:
            spans = (None,)
        rows += [row] * len(spans)
        marked += [(None,) * 4 if span is None else tuple(span) for span in spans]
    places = pd.DataFrame(marked, columns=[*_SPAN], dtype=object)
    times = [span[0] % 1 or span[1] % 1 for spans in answers for span in spans]
    for name in ("start", "end", "unit"):
        places[name] = places[name].astype("Float64" if any(times) and name != "unit" else "Int64")
    codes, known = pd.factorize(places["label"])
    options = judgements.export.options
    columns = merged_columns([(codes, list(known))], options.merge_labels, options.labels)
    places["label"] = pd.Series(_named(columns[0]), dtype=object)
    whole = table.iloc[rows].reset_index(drop=True)
    first, further = list(table.columns[:2]), list(table.columns[2:])
    if places["unit"].isna().all():
        places = places.drop(columns="unit")
    return pd.concat([whole[first], places, whole[further]], axis=1)


def _refuse_undeclared(
    judgements: Judgements, answers: Sequence[tuple[str, ...]], codes: Integers
) -> None:
    declared = judgements.export.options.labels
    if declared is None:
        return
    known = {str(label).strip() for label in declared}
    for row, code in enumerate(codes.tolist()):
        others = [label for label in answers[code] if label not in known]
        if others:
            raise IaaError(
                f"{judgements.where(row)}: {shown(others)} is not among the declared labels"
            )


def _text(answer: Sequence[str | None], *, is_set: bool) -> str | None:
    if is_set or len(answer) > 1:
        return json.dumps(list(dict.fromkeys(answer)), ensure_ascii=False)
    return answer[0] if answer else None


def _named(indexed: tuple[Integers, Sequence[object] | Values]) -> Values:
    codes, known = indexed
    if isinstance(known, np.ndarray) and known.dtype != object and (codes >= 0).all():
        return known[codes]
    named: Values = np.array([*known, None], dtype=object)
    return named[codes]


def _table(columns: Mapping[str, Values]) -> pd.DataFrame:
    return pd.DataFrame({k: pd.Series(v, dtype=v.dtype) for k, v in columns.items()})
