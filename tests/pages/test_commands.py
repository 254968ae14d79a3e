"""What pages advise: commands that work as they stand, and functions where Python is spoken."""

from __future__ import annotations

import ast
import json
import re
import subprocess
from collections.abc import Iterator
from inspect import signature
from operator import attrgetter

import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.analyses import ANALYSES, words_of
from iaa_jax.cli.context import as_option
from iaa_jax.overview.words import WORDS as OF_REPORTS
from iaa_jax.pages import Page, Remarks, Table, render
from iaa_jax.pages.blocks import Column
from iaa_jax.pages.commands import STEPS
from iaa_jax.wording import Note
from iaa_jax.wording.commands import as_argument, in_python
from iaa_jax.wording.spelling import in_python as in_calls

WORDS = {
    "next": "{count:count item}: {iaa:items --votes}, then {iaa:agree --by {by}}; a FILE more",
    "next_try": "See {try:judge --gold COLUMN}{docs:intervals}{docs:drift}.",
    "differ": "Rates differ{advice:next_who}.",
    "next_who": ": {iaa:annotators} says whose",
}
NEXT = Note("next", {"count": 2, "by": ""})
FORMS = ("terminal", "markdown", "html", "latex")


def page(*files: str, answer: tuple[Note, ...] = (), **further: object) -> Page:
    attrs = {"files": json.dumps(files)} if files else {}
    below = [Note("next_try"), Note("differ"), NEXT]
    column = Column("a", "A", ["x"], "label")
    blocks = [Table("t", [column], notes=[Note("differ")]), Remarks(below)]
    return Page("T", answer or [NEXT], blocks, WORDS, {"": xr.Dataset(attrs=attrs)})


def test_commands_stand_below_the_sentence_that_names_them_once_and_unbroken() -> None:
    folder = "a-folder/" * 12
    shown = render(page(f"{folder}b.csv"), "terminal", as_option)
    first, *lines = shown.splitlines()
    assert first == "2 items: 'iaa items --votes', then 'iaa agree'; a FILE more"
    assert lines[:2] == [
        f"    iaa items {folder}b.csv --votes",
        f"    iaa agree {folder}b.csv",
    ]
    assert lines.count(f"    iaa annotators {folder}b.csv") == 1
    assert sum(line.startswith("    iaa ") for line in lines) == 3
    assert "- See 'iaa judge --gold COLUMN' (docs/intervals.md) (docs/drift.md)." in lines


def test_markdown_has_commands_as_code_in_their_place_in_the_list() -> None:
    shown = render(page("a.csv"), "markdown", as_option)
    assert "FILE more\n\n```sh\niaa items a.csv --votes\niaa agree a.csv\n```\n" in shown
    assert "- Rates differ: 'iaa annotators' says whose.\n  ```sh\n  iaa annot" in shown


def test_html_has_a_command_to_an_element() -> None:
    shown = render(page("a<b.csv"), "html", as_option)
    assert re.findall("<code>([^<]*)</code>", re.sub("</?span>", "", shown)) == [
        "iaa items &#34;a&lt;b.csv&#34; --votes",
        "iaa agree &#34;a&lt;b.csv&#34;",
        "iaa annotators &#34;a&lt;b.csv&#34;",
    ]


@pytest.mark.parametrize(
    "files", [(), ("a.csv", "b.csv", "c.csv", "d.csv"), ("standard input",)], ids=len
)
def test_without_files_that_can_be_named_sentences_say_it_all(files: tuple[str, ...]) -> None:
    shown = render(page(*files), "terminal", as_option)
    assert shown.startswith("2 items: 'iaa items --votes', then 'iaa agree'")
    assert "    iaa" not in shown
    assert "    iaa items a.csv b.csv --votes" in render(
        page("a.csv", "b.csv"), "terminal", as_option
    )


def test_python_is_spoken_where_python_is_read() -> None:
    for form in FORMS[:3]:
        shown = render(page("a.csv"), form, in_calls)
        assert "'iaa " not in shown
        assert ".md" not in shown
        assert "a.csv" not in shown
    shown = " ".join(str(page("a.csv")).split())
    assert "2 items: iaa.items(ratings, votes=True), then iaa.agree(ratings)" in shown
    assert "See iaa.judge.against_gold(ratings, 'COLUMN') (help(iaa.drift))." in shown
    assert "'iaa agree --by x'" in render(
        page("a.csv", answer=(Note("next", {"count": 2, "by": "x"}),)), "terminal", as_option
    )


@pytest.mark.parametrize("spelling", [as_option, in_calls])
def test_latex_has_nothing_to_run(spelling) -> None:
    shown = render(page("a.csv"), "latex", spelling)
    assert shown.count("Rates differ.") == 1 + 1
    assert "iaa" not in shown
    assert "a FILE more" not in shown


ODD = (
    "a b.csv",
    "it's.csv",
    '"q".csv',
    "$HOME.csv",
    "a`b`.csv",
    "{x}",
    "a!b",
    "",
    "~",
    "-5",
    "ä b",
)
ODDER = (
    "two\nlines",
    "100%d\t\\n'$x`",
    "\x1b[31m",
    "\u202eb",
    "\udcff.csv",
    "*?[a]",
    "# a; b & c|d",
)


@pytest.mark.parametrize("text", [*ODD, *ODDER], ids=ascii)
def test_a_shell_reads_a_text_back(text: str) -> None:
    told = as_argument(text)
    assert told.isprintable()
    done = subprocess.run(["sh", "-c", f"printf '<%s>' {told}"], capture_output=True, check=True)
    assert done.stdout == f"<{text}>".encode(errors="surrogateescape")


def templates() -> Iterator[tuple[str, str]]:
    """The templates of all pages that name a command, with their codes."""
    tables = [OF_REPORTS, *(words_of(row.folder) for row in ANALYSES)]
    each = {(code, text) for table in tables for code, text in table.items()}
    return ((code, text) for code, text in sorted(each) if re.search("{(iaa|try):", text))


def test_every_command_is_a_function_with_these_keywords() -> None:
    found = 0
    for _, template in templates():
        for _, words in re.findall(r"{(iaa|try):((?:[^{}]|{[^}]*})*)}", template):
            command, *options = re.sub(r"{[^}]*}", "x", words).split()
            called = ast.parse(in_python(command, options))
            for call in (node for node in ast.walk(called) if isinstance(node, ast.Call)):
                name = ast.unparse(call.func).removeprefix("iaa.")
                if not name.endswith("save"):
                    keywords = {word.arg: None for word in call.keywords}
                    signature(attrgetter(name)(iaa)).bind(*call.args, **keywords)
                    found += 1
    assert found > 40


def test_sentences_with_commands_are_known_as_advice() -> None:
    """So that they can be left out where nobody runs anything, and nothing else with them."""
    assert [code for code, _ in templates() if not code.startswith(STEPS)] == []
