"""Every template of every page can be said: with made values, and with those that notes bring."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from string import Formatter

import iaa_jax
from iaa_jax.analyses import ANALYSES, words_of
from iaa_jax.wording import Note, Words, say

ROOT = Path(iaa_jax.__file__).parent
LIST, PAIR, NUMBER, WHOLE, ANY = "list", "pair", "number", "whole number", "any"
SHAPES = {
    **dict.fromkeys(("names", "and", "join"), LIST),
    **dict.fromkeys(("interval", "signed_interval", "shares"), PAIR),
    **dict.fromkeys(("estimate", "signed", "short", "count", "share", "level"), NUMBER),
    **dict.fromkeys(("probability", "p"), NUMBER),
    **dict.fromkeys(
        ("", "name", "quoted", "escaped", "spaced", "weights", "message", "below"), ANY
    ),
}
MADE = {LIST: ["a", "b", "c"], PAIR: [0.25, 0.5], WHOLE: 4, ANY: "text"}
GUIDES = ("iaa", "try", "docs")
ADDED = {"design"}
"""What is put to the values of notes that are made without it."""


def tables() -> Iterator[tuple[str, Words]]:
    """All tables of words, by module and name."""
    for found in walk_packages(iaa_jax.__path__, "iaa_jax."):
        if found.name.endswith("__main__"):
            continue
        for name, table in vars(import_module(found.name)).items():
            if name.isupper() and isinstance(table, Mapping):
                texts = [*table.items()]
                of_texts = all(isinstance(k, str) and isinstance(v, str) for k, v in texts)
                if of_texts and any(fields(text) for _, text in texts):
                    yield f"{found.name}.{name}", table
    for row in ANALYSES:
        yield f"pages of {row.folder}", words_of(row.folder)


def fields(template: str) -> list[tuple[str, str]]:
    """Which values a template asks for, and how each is written."""
    try:
        parts = list(Formatter().parse(template))
    except ValueError:  # no template
        return []
    found = [(field, how or "") for _, field, how, _ in parts if field is not None]
    guides = [each for field, how in found if field in GUIDES for each in fields(how)]
    return [each for each in found if each[0] not in (*GUIDES, "advice")] + guides


def whole(template: str, table: Words) -> str:
    """A template with its further sentences in their places."""
    parts = Formatter().parse(template) if "{advice:" in template else []
    for further in [how or "" for _, field, how, _ in parts if field == "advice"]:
        template = template.replace(f"{{advice:{further}}}", table[further])
    return template


def shapes_of(template: str) -> dict[str, set[str]]:
    """What each value of a template has to be."""
    shapes: dict[str, set[str]] = {}
    for field, how in fields(template):
        kind, _, argument = how.partition(" ")
        if "|" in how:
            kind, argument = "count", ""
        if kind in ("option", "also"):
            if argument and not argument.startswith("="):
                shapes.setdefault(argument, set()).add(ANY)
            continue
        shapes.setdefault(field, set()).add(SHAPES[kind])
        if (
            kind in ("estimate", "signed", "interval", "signed_interval")
            and argument.isidentifier()
        ):
            shapes.setdefault(argument, set()).add(WHOLE)
        if kind in ("names", "quoted") and len(argument.split()) > 1:
            shapes.setdefault(argument.split()[1], set()).add(NUMBER)
    return shapes


TABLES = dict(tables())


def test_referee_1_every_template_can_be_said() -> None:
    each_of = ((table, *each) for table in TABLES.values() for each in table.items())
    for table, code, template in each_of:
        asked = shapes_of(whole(template, table))
        shapes = {name: kinds - {ANY} or {ANY} for name, kinds in asked.items()}
        assert all(len(kinds) == 1 for kinds in shapes.values()), (code, shapes)
        for number in (1, 7, 0.25):
            made = {name: {**MADE, NUMBER: number}[kind] for name, (kind,) in shapes.items()}
            assert bool(say(Note(code, made), {**table, code: template})) == bool(template)


def literal_notes() -> Iterator[tuple[str, str, set[str]]]:
    """The notes whose code and values are written out in a call, with where it stands."""
    for file in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Note"):
                continue
            code, *rest = node.args or [None]
            given = rest[0] if rest else ast.Dict([], [])
            if not (isinstance(code, ast.Constant) and isinstance(given, ast.Dict)):
                continue
            if all(isinstance(key, ast.Constant) for key in given.keys):
                where = f"{file.relative_to(ROOT)}:{node.lineno}"
                yield where, str(code.value), {str(key.value) for key in given.keys}  # type: ignore[union-attr]


def test_a_note_brings_what_a_template_asks_for() -> None:
    asked: dict[str, list[set[str]]] = {}
    for table in TABLES.values():
        for code, template in table.items():
            asked.setdefault(code, []).append(set(shapes_of(whole(template, table))))
    for where, code, given in literal_notes():
        assert any(needed <= given | ADDED for needed in asked.get(code, [])), (where, code, given)
