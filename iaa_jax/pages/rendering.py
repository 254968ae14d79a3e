"""The renderers by name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from iaa_jax.wording.spelling import Spelling, in_python

if TYPE_CHECKING:
    from iaa_jax.pages.page import Page

RENDERERS = ("terminal", "markdown", "latex", "html")
"""Modules of this folder, each with a function ``render(page, spelling)``."""


def render(page: Page, form: str, spelling: Spelling = in_python) -> str:
    """A page as text in one form: "terminal", "markdown", "latex" or "html"."""
    renderer: Callable[[Page, Spelling], str] = import_module(f"iaa_jax.pages.{form}").render
    return renderer(page, spelling)
