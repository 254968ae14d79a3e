"""Turn notes into sentences: each code has a template, and formatters fill its fields.

A field names a value of the note and, after a colon, its formatter:

==================  ===================================================================
``{x:estimate}``    a number with three decimals; ``{x:estimate 2}`` with two, and
                    ``{x:estimate y}`` with as many as the value of y
``{x:signed}``      a number with decimals as above and its sign
``{x:short}``       a number with up to four digits, or from 1000 on as a whole number
``{x:interval}``    an interval by its ends; ``{x:signed_interval}`` the interval of a difference
``{x:count}``       a count; ``{x:count item}`` with its noun, ``{x:count batch batches}``
``{x:share}``       a share in percent; ``{x:level}`` a chosen share, such as 95 %
``{x:shares}``      both ends of an interval of shares
``{x:probability}`` a probability in percent
``{x:p}``           ``p = 0.012``
``{x:name}``        a name from the data; ``{x:names}`` the first 10 names of a list,
                    ``{x:names 5}`` the first 5, ``{x:names 5 y}`` the first 5 of y names
``{x:quoted}``      a name between quotes, or the first names of a list as with ``names``
``{x:escaped}``     a name between quotes, with characters escaped that may look like others
``{x:spaced}``      an identifier in words
``{x:message}``     an error message, with its options as the reader types them
``{x:weights}``     a kind of weights between labels: "level ordinal" as "ordinal"
``{x:is|are}``      the first word if the value is 1, otherwise the second
``{x:and}``         parts joined by commas and "and"; ``{x:join ; }`` by "; "
``{x:option}``      the option x; ``{x:option y}`` with the value of y, ``{x:option =z}`` with z
``{x:also =z w}``   "and", the option x with the value z, and the words w; nothing in Python, or if
                    the running command has no option x
``{iaa:x --y z}``   a command that the reader may run: its name and its options, whose values may be
                    fields (an option with the value "" is left out); the complete command is
                    printed below the sentence
``{try:x --y Z}``   a command in which the reader has to replace Z, or the files; nothing is printed
                    below the sentence
``{advice:x}``      the sentence with the code x, which advises a command; omitted if no advice is
                    given
``{x:below}``       lines that are printed below the sentence, unchanged
``{docs:x}``        the page x of the documentation, in brackets
``{x}``             a text with invisible characters escaped, a number unchanged, or a note,
                    worded by the same templates
==================  ===================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from string import Formatter

from iaa_jax.wording import formats
from iaa_jax.wording.commands import in_shell
from iaa_jax.wording.escaping import escaped
from iaa_jax.wording.notes import Note
from iaa_jax.wording.spelling import Spelling, as_list, in_python, respelled

Words = Mapping[str, str]
"""Templates by code."""

Guide = Callable[[str, Sequence[str]], str]
"""Function that returns the text of a field that refers to something outside the sentence.

Its arguments are the kind of the field ("iaa", "try", "docs", "below" or "advice") and its words.
Advice is left out of the sentence if the function returns an empty text.
"""

ROUNDED: dict[str, Callable[..., str]] = {
    "estimate": formats.number,
    "signed": formats.signed,
    "interval": formats.interval,
    "signed_interval": formats.signed_interval,
}
"""Formatters that take a number of decimals."""

_PLAIN: dict[str, Callable[..., str]] = {
    "count": formats.count,
    "short": formats.short,
    "share": formats.share,
    "shares": formats.share_interval,
    "level": formats.level,
    "probability": formats.probability,
    "p": formats.p_phrase,
    "name": formats.name,
    "escaped": escaped,
    "spaced": formats.spaced,
    "weights": formats.weights,
}
_COUNTED: dict[str, Callable[..., str]] = {"count": formats.counted}
_LISTS: dict[str, Callable[..., str]] = {"names": formats.names, "quoted": formats.quoted}


def joined(*tables: Words) -> Words:
    """Join tables of templates; each code may have only one template.

    Examples
    --------
    >>> joined({"a": "one"}, {"a": "another"})
    Traceback (most recent call last):
    ...
    ValueError: two templates for the code 'a'
    """
    words: dict[str, str] = {}
    for table in tables:
        for code, template in table.items():
            if words.setdefault(code, template) != template:
                raise ValueError(f"two templates for the code {code!r}")
    return words


def elsewhere(what: str, where: Sequence[str]) -> str:
    """Return the text for a field that refers to a command or a page of the documentation.

    Lines below the sentence are left out.
    """
    if what == "below":
        return ""
    return f" (docs/{where[0]}.md)" if what == "docs" else f"'{in_shell(['iaa', *where])}'"


def say(note: Note, words: Words, spelling: Spelling = in_python, guide: Guide = elsewhere) -> str:
    """Return the sentence of a note, from the template of its code.

    Examples
    --------
    >>> words = {"few": "Only {items:count item}: {intervals:is|are} rough; widen {width:option}."}
    >>> say(Note("few", {"items": 7, "intervals": 2}), words)
    'Only 7 items: are rough; widen width=.'
    >>> say(Note("few"), {"few": "Next: {iaa:items --votes}{docs:items}."})
    "Next: 'iaa items --votes' (docs/items.md)."
    """
    return _filled(words[note.code], note, words, spelling, guide)


def _filled(template: str, note: Note, words: Words, spelling: Spelling, guide: Guide) -> str:
    parts = []
    for text, field, how, _ in Formatter().parse(template):
        parts.append(text)
        if field is None:
            continue
        if field == "advice":
            further = words[how] if how and guide(field, [how]) else ""
            parts.append(_filled(further, note, words, spelling, guide))
        elif field in ("iaa", "try", "docs"):
            parts.append(guide(field, [*_words_of(how or "", note)]))
        elif how == "below":
            parts.append(guide(how, [*map(str, note.listed(field))]))
        elif how and how.split()[0] == "option":
            parts.append(spelling(field, _advised_value(how.partition(" ")[2], note)))
        elif how and how.startswith("also "):
            _, advice, more = how.split(maxsplit=2)
            value = _advised_value(advice, note)
            if (option := spelling(field, value)) != in_python(field, value):
                parts.append(f" and {option} {more}")
        else:
            parts.append(_field_text(note.values[field], how or "", note, words, spelling, guide))
    return "".join(parts)


def _words_of(command: str, note: Note) -> Iterator[str]:
    filled = [word.format_map(note.values) for word in command.split()]
    for word, following in zip(filled, [*filled[1:], "--"], strict=True):
        if word and following:
            yield word


def _field_text(
    value: object, how: str, note: Note, words: Words, spelling: Spelling, guide: Guide
) -> str:
    kind, _, argument = how.partition(" ")
    if "|" in how:
        singular, plural = how.split("|")
        return singular if value == 1 else plural
    if isinstance(value, Note):
        return say(value, words, spelling, guide)
    if kind in ("and", "join") and isinstance(value, Iterable):
        parts = [_field_text(part, "", note, words, spelling, guide) for part in value]
        return formats.enumerated(parts) if kind == "and" else argument.join(parts)
    if value is None and not how:
        return ""
    if kind == "message":
        return respelled(str(value), spelling)
    if kind in ROUNDED:
        decimals = note.values[argument] if argument.isidentifier() else argument or 3
        return ROUNDED[kind](value, int(str(decimals)))
    if kind == "count":
        return (_COUNTED if argument else _PLAIN)[kind](value, *argument.split())
    if kind in _LISTS:
        limit, _, total = argument.partition(" ")
        return _LISTS[kind](value, int(limit or 10), note.values[total] if total else None)
    return _PLAIN[kind or "name"](value)


def _advised_value(advice: str, note: Note) -> str | None:
    """Return the advised value of an option as text; None if the reader has to choose one."""
    if not advice:
        return None
    if advice in ("=True", "=False"):
        return advice[1:]
    value = advice[1:] if advice.startswith("=") else note.values[advice]
    return as_list(value) if isinstance(value, (list, tuple)) else repr(value)
