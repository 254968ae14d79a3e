"""The fenced code blocks of a Markdown page, and a runner for those in Python."""

from __future__ import annotations

import doctest
import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and the line that its text starts on."""

    language: str
    text: str
    line: int


def blocks(page: Path, language: str) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(found[1], found[2], text.count("\n", 0, found.start(2)) + 1)
        for found in FENCE.finditer(text)
        if found[1] == language
    ]


def run_python(page: Path) -> int:
    """Run the page's Python blocks in order, in one namespace; blocks with prompts are compared.

    Returns the number of blocks.
    """
    names: dict[str, Any] = {"__name__": "__main__"}
    parser = doctest.DocTestParser()
    # blanks at the ends of lines cannot be seen on a page
    runner = doctest.DebugRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    found = blocks(page, "python")
    for block in found:
        if block.text.startswith("import torch") and find_spec("torch") is None:
            continue  # the leg `torch` of .ci/run has it
        if block.text.startswith(">>>"):
            test = parser.get_doctest(block.text, names, page.name, str(page), block.line - 1)
            try:
                runner.run(test, clear_globs=False)
            except doctest.DocTestFailure as failure:
                example = failure.example
                place = f"{page.name}:{block.line + example.lineno}"
                difference = f"{example.source}expected:\n{example.want}got:\n{failure.got}"
                raise AssertionError(f"{place}: {difference}") from None
            names.update(test.globs)
        else:
            lines = "\n" * (block.line - 1)
            exec(compile(lines + block.text, str(page), "exec"), names)
    return len(found)
