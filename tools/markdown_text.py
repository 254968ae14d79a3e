"""Writes docstrings as Markdown, in which only code, names and lists are marked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

CODE = re.compile(r"``(.+?)``|`([^`]+)`", re.DOTALL)
MARKS = re.compile(r"([\\*_\[\]#|])")
"""Characters that Markdown would interpret. Hyphens begin lists in docstrings too.
"""


def marked(text: str, links: Mapping[str, str]) -> str:
    """Return a text with its code as code, and with links for the names that have one."""
    parts, end = [], 0
    for match in CODE.finditer(text):
        code = " ".join((match[1] or match[2]).split())
        parts += [
            _plain(text[end : match.start()]),
            f"[`{code}`]({links[code]})" if code in links else f"`{code}`",
        ]
        end = match.end()
    return "".join([*parts, _plain(text[end:])])


def _plain(text: str) -> str:
    return MARKS.sub(r"\\\1", escape(text, quote=False))
