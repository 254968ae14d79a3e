"""Habits of wording that make a docstring, a comment or a name hard to read on its own."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
BEGINNING = re.compile(r"(The same|Those|That of|What is)\b")
PERSON = re.compile(r"\b(he|him|his|himself)\b", re.IGNORECASE)
RELATIVE = re.compile(r"\b(of which|of whom|those of|that of)\b")


class Prose(NamedTuple):
    """A piece of text, or a name, and where it is."""

    where: str
    kind: str
    text: str


@cache
def prose() -> tuple[Prose, ...]:
    """Every docstring, comment, longer string and name of a function in the package."""
    return tuple(
        piece for path in sorted((ROOT / "iaa_jax").rglob("*.py")) for piece in prose_of_file(path)
    )


def prose_of_file(path: Path) -> Iterator[Prose]:
    source, name = path.read_text(encoding="utf-8"), str(path.relative_to(ROOT))
    docstrings = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            yield Prose(f"{name}:{node.lineno}", "function", node.name)
        match node:  # of modules, classes, functions, and below a field or a constant
            case ast.Expr(value=ast.Constant(value=str(text))):
                docstrings.add(node.lineno)
                yield Prose(f"{name}:{node.lineno}", "docstring", text)
            case ast.Constant(value=str(text)) if " " in text and node.lineno not in docstrings:
                yield Prose(f"{name}:{node.lineno}", "string", text)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield Prose(f"{name}:{token.start[0]}", "comment", token.string)


def test_a_docstring_can_be_read_alone() -> None:
    found = [each for each in prose() if each.kind == "docstring" and BEGINNING.match(each.text)]
    assert found == []


def test_annotators_are_they() -> None:
    texts = [each for each in prose() if each.kind != "function" and PERSON.search(each.text)]
    assert texts == []


def test_functions_are_named_for_what_they_give() -> None:
    found = [each for each in prose() if re.match(r"_?of_", each.text) and each.kind == "function"]
    assert found == []


def test_relative_clauses_are_few() -> None:
    words = sum(len(each.text.split()) for each in prose())
    clauses = sum(len(RELATIVE.findall(each.text)) for each in prose())
    assert clauses < words / 1000
