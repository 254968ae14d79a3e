"""Messages speak of options as their reader writes them, and none is edited on its way."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import iaa_jax
from iaa_jax import IaaError
from iaa_jax.cli.context import as_option, running
from iaa_jax.wording.spelling import in_python

PACKAGE = Path(iaa_jax.__file__).parent

NEXT_WAY = "\n  - "
"""What the command line writes before each of several ways out."""

NO_MESSAGES = (
    *("measure/functions.py", "wording/commands.py"),
    *(f"catalog/{family}.py" for family in ("augmented", "segments", "spans")),
)
"""Texts of the documentation, calls that are advised to whoever types a command, too, and how
functions are called in Python."""


def keywords_of_functions() -> set[str]:
    names = set()
    for name in iaa_jax.__all__:
        if inspect.isfunction(function := getattr(iaa_jax, name)):
            names |= set(inspect.signature(function).parameters)
    return names - {"ratings"}


def texts(path: Path) -> Iterator[str]:
    """The texts in a file, without docstrings."""
    tree = ast.parse(path.read_text())
    documented = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in documented:
            yield str(node.value)


def test_no_message_writes_a_keyword_by_itself() -> None:
    written = re.compile(rf"(?<![\w.(])({'|'.join(keywords_of_functions())})=")
    files = [
        path
        for path in PACKAGE.rglob("*.py")
        if path.relative_to(PACKAGE).as_posix() not in NO_MESSAGES
    ]
    assert len(files) > 100
    found = {
        f"{path.relative_to(PACKAGE)}: {text}"
        for path in files
        for text in texts(path)
        if written.search(text)
    }
    assert not found


CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "a column that is not there": ("wide", {"annotators": "ann,carl"}),
    "two options for one column": ("wide", {"item": "ann", "label": "ann", "anonymous": True}),
    "a question": ("wide", {"question": "q"}),
    "long options for a wide table": ("wide", {"format": "wide", "secondary": "cleo"}),
    "wide options for a long table": ("wide", {"format": "long", "annotators": "ann,bob"}),
    "options of other layouts": ("wide", {"format": "transposed", "separator": ";"}),
    "no role": ("wide", {"label": "ann"}),
    "no layout": ("rows", {}),
    "counts": ("counts", {}),
    "lists": ("lists", {}),
    "repeats": ("twice", {}),
    "repeats where columns are guessed": ("guessed", {}),
    "another encoding": ("latin", {"annotators": "ann,bob"}),
    "undeclared labels": ("wide", {"labels": "x,y"}),
    "no names of counts": ("wide", {"format": "counts"}),
    "no names of labels": ("wide", {"format": "one_hot"}),
}

FILES: dict[str, bytes] = {
    "rows": b"id,label\n1,x\n1,y\n",
    "counts": b"id,age,n_x,n_y\n1,2.5,3,0\n2,9.5,1,2\n",
    "lists": b"id,tags,more\n1,a;b,x;y\n2,b;c,y;z\n",
    "twice": b"item,annotator,label\n1,a,x\n1,a,y\n1,b,x\n",
    "guessed": b"id,V,A,D\n1,1,1,2\n1,2,1,1\n2,1,2,1\n3,2,2,1\n",
    "latin": "id,ann,bob\n1,é,x\n".encode("latin-1"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_command_spells_what_a_function_says(iaa, folder: Path, case: str) -> None:
    name, options = CASES[case]
    if name in FILES:
        (folder / f"{name}.csv").write_bytes(FILES[name])
    with pytest.raises(IaaError) as caught:
        iaa_jax.read(f"{name}.csv", **options)
    assert caught.value.options
    arguments: list[str] = []
    for option, value in options.items():
        dashed = f"--{option.replace('_', '-')}"
        arguments += [dashed] if value is True else [dashed, str(value)]
    done = iaa("agree", f"{name}.csv", *arguments)
    assert done.exit_code == 1
    every = inspect.signature(iaa_jax.read).parameters
    with running(dict.fromkeys(every)):
        assert done.stderr == f"iaa: {caught.value.spelled(as_option, NEXT_WAY)}\n"
    for option in caught.value.options:
        assert f"--{option.replace('_', '-')}" in done.stderr
        assert f"{option}=" not in done.stderr


def test_values_are_written_for_the_shell_and_for_python() -> None:
    given = dict.fromkeys(("item", "counts", "missing", "anonymous", "paired"))
    with running({**given, "random_annotators": False}):
        assert as_option("item", repr("text id")) == "--item 'text id'"
        assert as_option("item", repr("it's")) == "--item 'it'\"'\"'s'"
        assert as_option("counts", repr("n_*")) == "--counts 'n_*'"
        assert as_option("missing", repr("-,NULL")) == "--missing -,NULL"
        assert as_option("anonymous", "True") == "--anonymous"
        assert as_option("paired", "False") == "--paired no"
        assert as_option("annotators", repr("random")) == "--random-annotators"
        assert as_option("annotators", repr("fixed")) == "--fixed-annotators"
        assert as_option("frame", "1") == "frame=1"
    assert in_python("item", repr("it's")) == 'item="it\'s"'
    assert in_python("annotators", repr("random")) == "annotators='random'"


@pytest.mark.parametrize(
    ("command", "option"),
    [
        ("agree", "--cluster"),
        ("items", "--text"),
        ("items", "--keep"),
        ("items", "--by"),
        ("compare", "--by"),
        ("drift", "--by"),
    ],
)
def test_a_column_that_is_not_there_was_named_by_an_option(iaa, command: str, option: str) -> None:
    done = iaa(command, "wide.csv", option, "nope")
    assert done.exit_code == 1
    assert f"wide.csv has no column 'nope' (named by {option} nope); its columns" in done.stderr
