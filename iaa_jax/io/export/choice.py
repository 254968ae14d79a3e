"""Chooses the question to read from an export."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from iaa_jax._errors import IaaError, brief, shown
from iaa_jax.io.export.answers import Kind, Status
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.export.question import Question
from iaa_jax.wording import keyword, named
from iaa_jax.wording.formats import counted

DOCUMENTS: Sequence[Kind] = ("labels", "number")
"""The kinds of answers on whole items."""

SPANS: Sequence[Kind] = ("spans",)
"""The kinds of answers that `iaa_jax.read_spans` reads."""

ANY: Sequence[Kind] = (*DOCUMENTS, *SPANS)
"""The kinds of answers that a long table may hold."""

LONG = 120  # names of this length or more are shortened in messages
MOST = 12  # maximum number of questions that a message lists


def asks_for_spans(export: Export) -> bool:
    """Tell whether the requested question is about spans; without a request, each answered one."""
    wanted = export.options.question
    if wanted is not None:
        return wanted in export.questions and export.questions[wanted].kind in SPANS
    answered = {
        question.kind
        for question in export.questions.values()
        if Status.ANSWERED in question.status
    }
    return bool(answered) and answered <= {*SPANS}


def choose(export: Export, kinds: Sequence[Kind]) -> Question:
    """Return the requested question, or the only one with answers of these kinds.

    Features of marked spans are separate questions. Without a request, they are disregarded if the
    question on the spans was answered, too.
    """
    wanted = export.options.question
    questions = [question for question in export.questions.values() if question.kind in kinds]
    if wanted is not None:
        chosen, unread = export.questions.get(wanted), _unread(export)
        if chosen in questions:
            return chosen
        if chosen is not None:
            raise IaaError(f"the question {brief(wanted)} {_elsewhere(kinds)}")
        msg = f"there is no question {brief(wanted)}"
        if wanted in unread:
            msg = f"{brief(wanted)} is not read: it was answered by {unread[wanted]}"
        raise IaaError(f"{msg}; {_listed(questions) or _others(export, kinds)}")
    answered = [question for question in questions if Status.ANSWERED in question.status]
    if len(answered or questions) == 1:  # a field that everybody left blank is not a question
        return (answered or questions)[0]
    known = {question.name for question in answered}
    plain = [question for question in answered if question.feature_of not in known]
    if len(plain) == 1:  # the other questions are features of its spans
        return plain[0]
    if questions:
        others = [name for name, each in export.questions.items() if each not in questions]
        names = ", ".join(brief(name) for name in others[:MOST])
        also = f"; what else it asks ({names}) {_elsewhere(kinds)}" if others else ""
        raise IaaError(f"{counted(len(questions), 'question')}: {_listed(questions)}{also}")
    raise IaaError(_others(export, kinds))


def _listed(questions: Sequence[Question]) -> str:
    each = []
    for question in questions[:MOST]:
        name = question.name
        way = (
            keyword("question", name) if len(name) < LONG else f"{named('question')} {brief(name)}"
        )
        each.append(f"{way} ({question.kind}, {counted(len(question.items), 'judgement')})")
    more = f", and {len(questions) - MOST} more" if len(questions) > MOST else ""
    return f"read one of them by {', '.join(each)}{more}" if each else ""


def _others(export: Export, kinds: Sequence[Kind]) -> str:
    """Return a message on what the export asks, because no question has the wanted kinds."""
    if not export.questions:
        unread = [f"{brief(question)} ({kind})" for question, kind in _unread(export).items()]
        only = ", ".join(unread[:MOST])
        also = f" that is read; it asks {only}" if only else ""
        return f"the export holds no judgement of an annotator{also}"
    names = shown(export.questions, MOST)
    return f"what the export asks ({names}) {_elsewhere(kinds)}"


def _unread(export: Export) -> Mapping[object, object]:
    """Return the questions whose answers are not read, each with the kind of these answers."""
    unread = [note.values for note in export.remarks.notes if note.code == "skipped_unread"]
    return {each["question"]: each["kind"] for each in unread}


def _elsewhere(kinds: Sequence[Kind]) -> str:
    if "spans" in kinds:
        return "was answered by labels of whole items, which iaa.read and 'iaa agree' take"
    return "was answered by spans, which iaa.read_spans and 'iaa spans' take"
