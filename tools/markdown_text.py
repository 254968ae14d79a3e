"""Texts of docstrings as Markdown, in which nothing but code, names and lists is marked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

CODE = re.compile(r"``(.+?)``|`([^`]+)`", re.DOTALL)
MARKS = re.compile(r"([\\*_\[\]#|])")
"""What Markdown would take for more than a letter; lists begin with a hyphen in docstrings too."""


def marked(text: str, links: Mapping[str, str]) -> str:
    """A text with its code as code, and the names in it that lead somewhere as links."""
    parts, end = [], 0
    for found in CODE.finditer(text):
        code = " ".join((found[1] or found[2]).split())
        parts += [
            _plain(text[end : found.start()]),
            f"[`{code}`]({links[code]})" if code in links else f"`{code}`",
        ]
        end = found.end()
    return "".join([*parts, _plain(text[end:])])


def _plain(text: str) -> str:
    return MARKS.sub(r"\\\1", escape(text, quote=False))
