"""The judgements of an export, question by question, as its tool has them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import cast

from iaa_jax._errors import IaaError, MissingColumnError, OptionError, shown
from iaa_jax.data.notices.alike import JOINT
from iaa_jax.io.base import Options
from iaa_jax.io.export.answers import Answer, Kind, Span, Status, text_of
from iaa_jax.io.export.question import Question
from iaa_jax.io.table.columns import split_names
from iaa_jax.io.table.json_fields import Json, cell_text
from iaa_jax.io.table.kept import RESERVED
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note, keyword

INCLUDE = {
    "drafts": "skipped_drafts",
    "gold": "skipped_gold",
    "predictions": "skipped_predictions",
    "curator": "skipped_curator",
    "rejected": "skipped_rejected",
}
"""What is read beside the judgements of annotators if asked for, and the note if it is not."""

TIME = "time"
"""What keeps the times of judgements, however a tool names them, where no field is named so."""

TEXT = "text"
"""What keeps the texts of documents, likewise."""

RECORD = "record"
"""The coordinate of items that were shown together: what held them."""


Fields = Mapping[str, Json]
"""What the caller may name items and annotators by, or keep."""

_ANSWERED, _EMPTY = Status.ANSWERED, Status.EMPTY


class Export:
    """What a tool's reader found in the files, before anything is decided.

    Attributes
    ----------
    title : str
        The tool.
    is_named : bool
        Whether the caller named the format.
    forms : dict of str
        Which of its formats it wrote, as "JSON".
    items_from, annotators_from : str
        What names items and annotators: a field, or several; empty where items are numbered, and
        where the names of files or folders tell the annotator.
    annotators_in_columns : list of str
        Annotators that have a column each.
    way_of_nobody, ways_of_repeated : str, list of str
        What to do where a judgement has no annotator, or where an annotator judged an item twice,
        if the tool knows more of it than others.
    chooses : bool
        Whether one question will be chosen, so that a reader may ask which as soon as it knows.
    items_of_files : bool
        Whether items are named by files or folders.
    lists_unbegun : bool
        Whether a document without spans may be one that the annotator did not begin, as files list
        all documents.
    views : Counter
        How many judgements were made in each view, where the tool has views.
    questions : dict of Question
        Questions by their names, in the order of the files.
    items, annotators, records : dict
        Their codes.
    lengths, texts : dict
        Lengths of documents, and if ``keeps_texts`` their texts (`iaa_jax.data.marked.texts`).
    responded : set of int
        Annotators, by their codes, whose answers of nothing are surely answers.
    left_out : Counter
        How much was left out, by what it was (`INCLUDE`).
    notes : list of Note
        What else the reader left out.
    notices : Counter
        How often something may be meant otherwise, by its code.
    cautions : list of Note
        What else may be, with more to say of it than how often.
    """

    def __init__(
        self, title: str, options: Options, *, is_named: bool = False, chooses: bool = False
    ) -> None:
        self.title = title
        self.is_named, self.chooses = is_named, chooses
        self.options = options
        self.forms: dict[str, None] = {}
        self.annotators_from = ""
        self.items_from: str | Sequence[str] = ""
        self.annotators_in_columns: list[str] = []
        self.way_of_nobody, self.ways_of_repeated = "", list[str]()
        self.items_of_files = self.lists_unbegun = False
        self.views: Counter[str] = Counter()
        self.questions: dict[str, Question] = {}
        self.items: dict[str, int] = {}
        self.annotators: dict[str, int] = {}
        self.records: dict[str, int] = {}
        self.lengths: dict[str, float] = {}
        self.texts: dict[str, str] = {}
        self.responded: set[int] = set()
        self.left_out: Counter[str] = Counter()
        self.notes: list[Note] = []
        self.notices: Counter[str] = Counter()
        self.cautions: list[Note] = []
        self.kept: dict[str, int] = {}
        self._file = -1
        self._named_otherwise = False  # whether the caller said who the annotators of the file are
        self._sources: list[tuple[Source, str | Callable[[int], str]]] = []
        self._together: list[Question] = []
        self._seen: Question | None = None
        self._item = () if options.item is None else split_names(options.item, ())
        self._keep = () if options.keep is None else split_names(options.keep, ())
        self.keeps_texts = TEXT in self._keep and not self._item
        self._met: set[str] = set()  # the fields to keep that some record has
        self._lacking: dict[str, MissingColumnError] = {}  # ... and of the others, where not
        taken = [name for name in self._keep if name in RESERVED]
        if taken:
            msg = f"{keyword('keep', taken[0])} names what ratings have of their own: leave it out"
            raise OptionError(msg)

    @property
    def of_files(self) -> bool:
        """Whether the pattern of file names tells the annotators."""
        return any(source.annotator is not None for source, _ in self._sources)

    def enter(self, source: Source, at: str | Callable[[int], str] = "record") -> None:
        """Go on with this file; its judgements stand at a numbered "line" or "record".

        Or `at` says where, of the place that a judgement was added with.
        """
        self._sources.append((source, at))
        self._file = len(self._sources) - 1
        named = self.options.annotator is not None or source.annotator is not None
        self._named_otherwise = named

    def wrote(self, form: str) -> None:
        """Take note of a format in which the tool wrote a file."""
        self.forms[form] = None

    @property
    def form(self) -> str:
        """The formats, in words."""
        return " and ".join(self.forms)

    def show(self, item: object, text: str) -> None:
        """Take note of the text of a document, by the places of its spans."""
        if self.keeps_texts:
            self.texts.setdefault(text_of(item), text)

    def texts_of_spans(self) -> Mapping[str, str]:
        """The texts, which then need not be a field of the records."""
        self._met.update([TEXT] if self.texts else [])
        return self.texts

    def wants(self, what: str, count: int = 1) -> bool:
        """Tell whether the caller wants what is no judgement of an annotator, and count it if not.

        `what` is one of `INCLUDE`.
        """
        wanted = what in self.options.include
        if not wanted:
            self.left_out[what] += count
        return wanted

    def leave_unread(self, question: str, kind: str) -> None:
        """Note that a question was answered by what is neither labels, a number nor spans."""
        note = Note("skipped_unread", {"question": question, "kind": kind})
        if note not in self.notes:
            self.notes.append(note)

    def notice(self, code: str, count: int = 1) -> None:
        """Note what may be meant otherwise; how often is counted."""
        if count:
            self.notices[code] += count

    def ask(self, name: str, kind: Kind = "labels", several: bool | None = None) -> Question:
        """The question of this name, which an export has also if nobody answered it.

        `several` says whether labels are given several at once; None leaves it to the answers.
        """
        question = self.questions.get(name)
        if question is None:
            question = self.questions[name] = Question(name, kind, several, self._keep)
        elif question.kind != kind:
            msg = (
                f"{self._sources[-1][0]}: the question {name!r} is answered by {question.kind} "
                f"and by {kind}: are these files of one project?"
            )
            raise IaaError(msg)
        elif several is not None:
            question.several = several or bool(question.several)
        return question

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
        question
            What was asked.
        item, annotator
            Their ids in the tool; None for an annotator who has none.
        answer
            Labels, one number, or spans.
        place
            The line or record, from 1; 0 if the judgement is of the whole file.
        status
            Without it, an answer of nothing is "answered empty".
        time
            When it was given, in any unit that ascends.
        record
            What was shown at once with other items, if items were, as in a task of several.
        fields
            What the caller may name items and annotators by, or keep, instead.
        option
            In an order of options each is an item of its own, and its rank, or its group, the
            rating. Those that were shown and not put into order come with a `status`.
        """
        if self._item:
            item = self._item_of(fields, place)
        if self._named_otherwise:
            annotator = self._annotator_of(fields, place)
        if option is not None:
            item, record = f"{text_of(item)}{JOINT}{text_of(option)}", item
        # an answer that is known is looked up as it stands: this is done for millions
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
            msg = f"{self.place(self._file, place)}: {error.message}"
            raise IaaError(msg) from None
        question.values.append(code)
        question.status.append(status)
        question.files.append(self._file)
        question.places.append(place)
        question.times.append(time)
        for name, column in question.kept.items():
            is_known = name == RECORD and record is not None  # it is a coordinate anyway
            value = None if is_known else self._kept(fields, name, place, time)
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
        """Add what one annotator gave to one item, where a tool asks all its questions at once.

        Who left one of them out answered it with nothing, also if it is found only later.
        """
        if self._seen is None:
            self._seen = Question("", "labels", None, self._keep)
        for name, (kind, _) in answers.items():
            question = self.ask(name, kind)
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
        """Say where a judgement stands."""
        source, at = self._sources[file]
        if not isinstance(at, str):
            return at(number)
        return f"{source} {at} {number}" if number else str(source)

    def _kept(self, fields: Fields | None, name: str, place: int, time: float) -> str | None:
        """A field to keep; None where this record has none, which others may have.

        "time" is that of the judgement, whatever the tool calls it, where no field is named so.
        """
        try:
            value = self._field(fields, name, place, "keep")
        except MissingColumnError as error:
            if name != TIME or math.isnan(time):
                self._lacking.setdefault(name, error)
                return None
            value = repr(time)
        self._met.add(name)
        return value

    def check_kept(self) -> None:
        """Refuse fields to keep that no record has."""
        for name, error in self._lacking.items():
            if name not in self._met:
                raise error

    def _item_of(self, fields: Fields | None, place: int) -> str | None:
        """The item by the fields that the caller named."""
        parts = [self._field(fields, name, place, "item") for name in self._item]
        return None if None in parts else JOINT.join(map(str, parts))

    def _annotator_of(self, fields: Fields | None, place: int) -> str | None:
        """The annotator by the pattern of files, or by the field that the caller named."""
        of_file = self._sources[-1][0].annotator
        if of_file is not None:
            return of_file
        return self._field(fields, str(self.options.annotator), place, "annotator")

    def _field(self, fields: Fields | None, name: str, place: int, option: str) -> str | None:
        """What a record has under a name, dots between the names of inner fields."""
        value: Json = cast("Json", fields)
        if fields is not None and name in fields:
            return cell_text(fields[name])
        for part in name.split("."):
            if isinstance(value, Mapping) and part in value:
                value = value[part]
            elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
                value = value[int(part)]
            else:
                msg = (
                    f"{self.place(len(self._sources) - 1, place)} has no field {name!r} (named by "
                    f"{keyword(option, name)}); its fields are {shown(fields or (), 12) or 'none'}"
                )
                raise MissingColumnError(msg)
        return cell_text(value)


def _code_of(known: dict[str, int], name: object) -> int:
    """The code of a name; -1 for none."""
    code = known.get(name) if type(name) is str else None
    if code is not None:
        return code
    if isinstance(name, (bool, list, dict)):
        msg = f"{shown([name])} where the name of an item or annotator is needed"
        raise IaaError(msg)
    text = text_of(name) if name is not None else ""
    return known.setdefault(text, len(known)) if text else -1
