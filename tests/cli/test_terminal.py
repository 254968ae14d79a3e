"""A terminal obeys nothing that stands in data: no command prints it raw, in whatever form."""

from __future__ import annotations

import contextlib
import csv
import os
import pty
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.main import get_command

from iaa_jax.cli.app import app
from tests.program import PLAIN, environment

WORDS = ("\x1b]0;pwn\x07", "\u202egnp", "\x9b31m", "b\x08c", "\u2066x\u2069", "\x85y", "a\rb")
"""What a terminal obeys, or what turns what it shows around."""

OBEYED = (b"\x1b]0", b"\x07", "\u202e".encode(), "\x9b".encode(), b"\x08", "\u2066".encode())
OBEYED += ("\x85".encode(), b"a\rb")


@pytest.fixture
def data(folder: Path) -> str:
    """A table each of whose names is such a word, in a file whose name is one."""
    name = f"r{WORDS[0]}{WORDS[1]}.csv"
    people = [f"{word}{who}" for who, word in zip("abc", WORDS, strict=False)]
    with open(name, "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, quoting=csv.QUOTE_ALL)
        rows.writerow(["item", "annotator", "label", f"by{WORDS[0]}{WORDS[4]}"])
        for item in range(40):
            for place, who in enumerate(people):
                label = WORDS[(item + place * (item % 4 == 0)) % 4]
                rows.writerow([f"{item}{WORDS[item % 7]}", who, label, WORDS[4 + item % 2]])
    return name


@pytest.fixture
def spans(folder: Path) -> str:
    name = f"s{WORDS[0]}.csv"
    with open(name, "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, quoting=csv.QUOTE_ALL)
        rows.writerow(["document", "annotator", "start", "end", "label", "text"])
        for item in range(12):
            for place, who in enumerate(WORDS[:2]):
                start = item % 3 + place * (item % 4 == 0)
                text = "ab" + WORDS[item % 7] + "cdefghijklmn"
                rows.writerow([f"{item}{WORDS[item % 7]}", who, start, 6, WORDS[item % 3], text])
    return name


class _Terminal:
    """A terminal of the system, and all that was written to it."""

    def __enter__(self) -> _Terminal:
        ours, self.theirs = pty.openpty()
        self.written = b""

        def listen() -> None:
            with contextlib.suppress(OSError):
                while block := os.read(ours, 65536):
                    self.written += block
            os.close(ours)

        self._listener = threading.Thread(target=listen)
        self._listener.start()
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.theirs)
        self._listener.join()
        # the terminal itself ends lines so
        self.written = self.written.replace(b"\r\n", b"\n")


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, bytes]]:
    """The exit code of a command in this process, and what it writes to a terminal."""
    for name in PLAIN:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")

    def run(*arguments: str) -> tuple[int, bytes]:
        with (
            _Terminal() as terminal,
            monkeypatch.context() as within,
            open(terminal.theirs, "w", encoding="utf-8", closefd=False) as stream,
        ):
            within.setattr(sys, "stdout", stream)
            within.setattr(sys, "stderr", stream)
            with pytest.raises(SystemExit) as ended:
                app(list(arguments), prog_name="iaa")
        return int(ended.value.code or 0), terminal.written

    return run


FAST = ("--interval", "none")
BY = f"by{WORDS[0]}{WORDS[4]}"
ON_LABELS = {
    "agree": [*FAST, "--by", BY],
    "report": ["--replicates", "40", "--sections", "labels,annotators", "--output", "r.html"],
    "items": ["--votes", "--text", BY, "--top", "8"],
    "annotators": [*FAST, "--by", BY],
    "findings": ["--by", BY],
    "labels": [*FAST, "--by", BY],
    "label-sets": [],
    "sweep": ["--secondary", BY],
    "compare": ["--by", BY, *FAST, "--permutations", "0"],
    "plan": ["--replicates", "0", "--simulations", "0"],
    "variance": [],
    "drift": ["--by", BY, *FAST, "--permutations", "20"],
    "watch": ["--order", BY, "--bar", ".5"],
    "gold": [*FAST, "--no-leave-out"],
    "sharpen": FAST,
    "panels": [],
    "missing": [],
    "judge": ["--judges", f"{WORDS[0]}a", "--replicates", "0"],
    "convert": [],
    "spans": [*FAST, "--show", "3"],
    "prodigy binary": [],
    "prodigy doc": ["multiclass"],
    "prodigy span": [],
}
IN_FORMS = (
    *(("agree", *FAST, "--output", f"-{ending}") for ending in (".csv", ".md", ".html", ".tex")),
    *(("agree", *FAST, "--output", f"-{ending}") for ending in (".xlsx", ".png", ".pdf", ".json")),
    ("items", "--votes", "--output", "-.csv"),
    ("items", "--json", "-"),
    *(("convert", "--output", f"-{ending}") for ending in (".csv", ".tsv", ".jsonl", ".parquet")),
    ("agree", "--label", WORDS[0]),
    ("agree", "--require", f"{WORDS[0]}>0"),
    ("agree", "--keep-labels", WORDS[0] + "x"),
    (WORDS[0],),
    ("agree", "--" + WORDS[0]),
)


def test_no_command_writes_what_a_terminal_obeys(shown, data: str, spans: str) -> None:
    commands = {name.split()[0] for name in ON_LABELS}
    assert {*get_command(app).commands} - commands == {"demo", "formats", "coefficients"}
    refused = set()
    for command, options in ON_LABELS.items():
        mode = options if command == "prodigy doc" else []
        file = spans if command == "spans" else data
        code, written = shown(*command.split(), *mode, file, *(options if not mode else []))
        assert not [part for part in OBEYED if part in written], (command, written)
        assert b"unexpected" not in written, (command, written)
        if code:
            refused.add(command)
    assert refused == {"prodigy binary", "prodigy doc", "prodigy span"}  # which is none of theirs
    for place, (command, *options) in enumerate(IN_FORMS):
        for file in (data, spans)[: 1 + (place % 3 == 0)]:
            _, written = shown(command, file, *options)
            assert not [part for part in OBEYED if part in written], (command, options, written)
            assert b"unexpected" not in written, (command, options, written)
    _, written = shown("convert", data)
    assert rb"\x1b]0;pwn\x07" in written


def test_a_traceback_has_no_escapes_either(folder: Path) -> None:
    name = f"r{WORDS[0]}.csv"
    Path(name).write_text(f"item,a,b\n1,{WORDS[0]},x\n2,{WORDS[0]}\n")
    with _Terminal() as terminal:
        subprocess.run(
            [sys.executable, "-m", "iaa_jax", "agree", name, "--debug"],
            env=environment(folder) | {"TERM": "xterm"},
            stdout=terminal.theirs,
            stderr=terminal.theirs,
            check=False,
        )
    assert b"Traceback" in terminal.written
    assert not [part for part in OBEYED if part in terminal.written], terminal.written
