"""The renderers by name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from iaa_jax.pages.content import PageContent
from iaa_jax.wording.spelling import Spelling, in_python

RENDERERS = ("terminal", "markdown", "latex", "html")
"""Modules of this folder, each with a function ``render(page, spelling)``."""


def render(page: PageContent, form: str, spelling: Spelling = in_python) -> str:
    """A page as text in one form: "terminal", "markdown", "latex" or "html"."""
    renderer: Callable[[PageContent, Spelling], str] = import_module(f"iaa_jax.pages.{form}").render
    return renderer(page, spelling)
