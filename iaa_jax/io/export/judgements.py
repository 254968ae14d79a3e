"""The judgements of an export, question by question, as its tool reports them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import cast

from iaa_jax._errors import IaaError, shown
from iaa_jax.data.notices.similar import JOINT
from iaa_jax.io.base import Options
from iaa_jax.io.export.answers import Answer, Kind, Span, Status, text_of
from iaa_jax.io.export.fields import TEXT, Fields, NamedFields, field_of
from iaa_jax.io.export.question import Question
from iaa_jax.io.export.remarks import ExportRemarks, NamedBy
from iaa_jax.io.table.source import ExcludedRows, Source

RECORD = "record"
"""The coordinate that groups items shown together, by the record that held them."""

_ANSWERED, _EMPTY = Status.ANSWERED, Status.EMPTY


class Export:
    """The content of the files as a tool's reader reports it, before any decision on what counts.

    Attributes
    ----------
    chooses : bool
        Whether the caller needs a single question; a reader may then ask early which one.
    forms : dict of str
        The formats of the files, such as "JSON".
    named_by : NamedBy
        The fields that name items and annotators.
    views : Counter
        The number of tasks shown in each view (annotation interface), if a tool has several.
    items, annotators, records, kept : dict
        The code of each name, or of each cell to keep.
    lengths, texts : dict
        Lengths of documents, and also their texts if ``keeps_texts``.
    excludable : set of int
        Codes of files whose judgements the caller may still exclude by a field.
    excluded : list of ExcludedRows
        What was excluded from these files.
    responded : set of int
        Codes of annotators whose empty answers are certainly answers.
    lists_unbegun : bool
        Whether the export also lists documents not yet started, so that an empty document may mean
        "not seen".
    lists_marks_alone : bool
        Whether nothing in the export says that an annotator saw a document and marked nothing.
    """

    def __init__(
        self, title: str, options: Options, *, is_named: bool = False, chooses: bool = False
    ) -> None:
        self.title = title
        self.is_named, self.chooses = is_named, chooses
        self.options = options
        self.forms: dict[str, None] = {}
        self.named_by, self.remarks = NamedBy(), ExportRemarks(options.include)
        self.named_fields = NamedFields(options)
        self.views: Counter[str] = Counter()
        self.questions: dict[str, Question] = {}
        self.items: dict[str, int] = {}
        self.annotators: dict[str, int] = {}
        self.records: dict[str, int] = {}
        self.kept: dict[str, int] = {}
        self.lengths: dict[str, float] = {}
        self.texts: dict[str, str] = {}
        self.excludable: set[int] = set()
        self.excluded: list[ExcludedRows] = []
        self.responded: set[int] = set()
        self.lists_unbegun = self.lists_marks_alone = False
        self._sources: list[tuple[Source, str | Callable[[int], str]]] = []
        self._of_file: str | None = None  # the annotator that the file name gives
        self._together: list[Question] = []
        self._seen: Question | None = None

    @property
    def sources(self) -> list[Source]:
        """The files that were begun."""
        return [source for source, _ in self._sources]

    @property
    def has_annotator_files(self) -> bool:
        """Whether the pattern of file names contains the annotator."""
        return any(source.annotator is not None for source in self.sources)

    def begin_file(self, source: Source, at: str | Callable[[int], str] = "record") -> None:
        """Begin a file, in which messages locate judgements by number, as in "line 3".

        ``at`` is the noun before the number, or a function that turns the ``place`` passed to `add`
        into a location.
        """
        self._sources.append((source, at))
        self._of_file = source.annotator

    def note_format(self, form: str) -> None:
        """Record the format of a file."""
        self.forms[form] = None

    @property
    def form(self) -> str:
        """The formats, joined by "and"."""
        return " and ".join(self.forms)

    @property
    def keeps_texts(self) -> bool:
        """Whether to keep texts of documents: if asked for, and if the tool names the documents."""
        return TEXT in self.named_fields.keep and not self.named_fields.item

    def add_text(self, item: object, text: str) -> None:
        """Record the text of a document, to which the positions of its spans refer."""
        if self.keeps_texts:
            self.texts.setdefault(text_of(item), text)

    def texts_of_spans(self) -> Mapping[str, str]:
        """Return the texts of documents; if there are any, records need no field with the text."""
        self.named_fields.met.update([TEXT] if self.texts else [])
        return self.texts

    def question(self, name: str, kind: Kind = "labels", several: bool | None = None) -> Question:
        """Return the question of this name, which is added if it is new.

        `several` says whether an answer may have several labels; if None, the answers show it.
        """
        question = self.questions.get(name)
        if question is None:
            question = self.questions[name] = Question(name, kind, several, self.named_fields)
        elif question.kind != kind:
            raise IaaError(
                f"{self._sources[-1][0]}: the question {name!r} is answered by {question.kind} "
                f"and by {kind}: are these files of one project?"
            )
        elif several is not None:
            question.several = several or bool(question.several)
        return question

    def notice_empty(self, code: str, question: Question) -> None:
        """Note that an empty answer may mean "not begun", unless the caller reads it as missing."""
        if self.options.empty == "answered":
            self.remarks.notice(code, question.empty())

    def add(
        self,
        question: Question,
        item: object,
        annotator: object,
        answer: Iterable[object] | Iterable[Span],
        place: int = 0,
        *,
        status: Status | None = None,
        time: float = math.nan,
        record: object = None,
        fields: Fields | None = None,
        option: object = None,
    ) -> None:
        """Add a judgement.

        Parameters
        ----------
        item, annotator
            The tool's ids; None for an unknown annotator.
        answer
            Labels, one number, or spans.
        place
            The number of the line or record, from 1 (0 for a judgement on the whole file); or the
            argument of the function that `begin_file` was given.
        status
            The outcome; by default "empty" if the answer is empty, otherwise "answered".
        time
            When the answer was given, as a number that grows with time.
        record
            The record, such as a task, that showed several items together.
        fields
            Fields that the caller may use to name items and annotators, or keep.
        option
            The ranked option. In a ranking each option is a separate item, which is rated by its
            rank or group. If nothing was ranked, `status` says whether the ranking is empty or
            skipped.
        """
        file = len(self._sources) - 1

        def where() -> str:
            return self.place(file, place)

        if self.named_fields.item:
            item = self.named_fields.item_of(fields, where)
        if self._of_file is not None:
            annotator = self._of_file
        elif self.named_fields.annotator is not None:
            annotator = field_of(fields, self.named_fields.annotator, where, "annotator")
        if option is not None:
            item, record = f"{text_of(item)}{JOINT}{text_of(option)}", item
        # for speed, known answers are looked up unchanged: there may be millions of judgements
        plain = type(answer) is tuple and len(answer) == 1 and type(answer[0]) is str
        code = question.answers.get(cast("Answer", answer)) if plain else None
        code = question.code_of(answer) if code is None else code
        if status is None:
            status = _ANSWERED if code != question.nothing else _EMPTY
        try:
            question.items.append(_code_of(self.items, item))
            question.annotators.append(_code_of(self.annotators, annotator))
            question.records.append(-1 if record is None else _code_of(self.records, record))
        except IaaError as error:
            raise IaaError(f"{where()}: {error.message}") from None
        question.values.append(code)
        question.status.append(status)
        question.files.append(file)
        question.places.append(place)
        question.times.append(time)
        is_table = self._sources[-1][0].excluded is not None  # excluded rows were not read
        if question.columns and not is_table:
            self.excludable.add(file)
        for name, column in question.columns.items():
            # the record becomes a coordinate anyway
            is_known = name == RECORD and record is not None
            if is_known:
                self.named_fields.met.add(name)
            is_read = not is_known and not (is_table and name not in question.kept)
            value = self.named_fields.value_of(fields, name, where, time) if is_read else None
            column.append(_code_of(self.kept, value))

    def add_all(
        self,
        item: object,
        annotator: object,
        answers: Mapping[str, tuple[Kind, Iterable[object]]],
        place: int = 0,
        *,
        status: Status | None = None,
        time: float = math.nan,
        fields: Fields | None = None,
    ) -> None:
        """Add one annotator's answers to all questions on an item that were asked together.

        A question that is not answered gets an empty answer, also on items before its first answer.
        """
        if self._seen is None:
            self._seen = Question("", "labels", None, self.named_fields)
        for name, (kind, _) in answers.items():
            question = self.question(name, kind)
            if question not in self._together:
                question.leave_out(self._seen)
                self._together.append(question)
        for question in [*self._together, self._seen]:
            is_asked = question is not self._seen and question.name in answers
            self.add(
                question,
                item,
                annotator,
                answers[question.name][1] if is_asked else (),
                place,
                status=status,
                time=time,
                fields=fields,
            )

    def place(self, file: int, number: int) -> str:
        """Return the location of a judgement, for messages."""
        source, at = self._sources[file]
        if not isinstance(at, str):
            return at(number)
        return f"{source} {at} {number}" if number else str(source)


def _code_of(known: dict[str, int], name: object) -> int:
    code = known.get(name) if type(name) is str else None
    if code is not None:
        return code
    if isinstance(name, (bool, list, dict)):
        raise IaaError(f"{shown([name])} where the name of an item or annotator is needed")
    text = text_of(name) if name is not None else ""
    return known.setdefault(text, len(known)) if text else -1
