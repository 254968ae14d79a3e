"""The content of a page as data (answer, blocks and sections), and its rendering as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Self

import xarray as xr

from iaa_jax.pages.blocks import Block, Facts, Picture, Table, Text
from iaa_jax.pages.commands import Advice, Repeated
from iaa_jax.wording import Note, Words
from iaa_jax.wording.spelling import Spelling, in_python


@dataclass(frozen=True)
class PageContent:
    """One result, or several that belong together, for people to read.

    Attributes
    ----------
    title : str or Note
        Title of the page.
    answer : sequence of Note
        The result in brief, beginning with its conclusion.
    blocks : sequence of blocks
        Blocks in reading order.
    words : mapping
        Templates of sentences, by the codes of notes; `iaa_jax.page` adds the templates that all
        pages of the analysis share.
    results : mapping
        The Datasets behind the page, by their names in JSON.
    commands : Advice
        Information for the commands that the page advises.
    sections : mapping
        Pages below this one, by their names in files; a page with sections is a report.
    """

    title: Text
    answer: Sequence[Note]
    blocks: Sequence[Block]
    words: Words = field(default_factory=dict)
    results: Mapping[str, xr.Dataset] = field(default_factory=dict)
    commands: Advice = field(default_factory=Advice)
    sections: Mapping[str, PageContent] = field(default_factory=dict)

    @property
    def tables(self) -> list[Table]:
        """All tables, the main one first.

        The id of a table in a section begins with the section's name.
        """
        of_page = [block for block in self.blocks if isinstance(block, Table)]
        below = [
            table if table.id == name else replace(table, id=f"{name}_{table.id}")
            for name, section in self.sections.items()
            for table in section.tables
        ]
        return [*of_page, *below]

    @property
    def pictures(self) -> list[Picture]:
        """All pictures."""
        pictures = [block for block in self.blocks if isinstance(block, Picture)]
        for section in self.sections.values():
            pictures += section.pictures
        return pictures

    @property
    def brief(self) -> Self:
        """The page as a terminal shows it: for a report, only its answer and facts.

        The table of levels of measurement is also shown, if there is one.
        """
        if not self.sections:
            return self
        # if the answer asks for the level of measurement, the table of levels follows it
        shown = [b for b in self.blocks if isinstance(b, Facts) or getattr(b, "id", "") == "levels"]
        # without files of their own, commands name the files of the results, with their folders
        commands = replace(self.commands, files=())
        return replace(self, blocks=shown, sections={}, commands=commands)

    def repeating(self, repeated: Repeated) -> Self:
        """Return the page with commands that repeat the options with which its files were read."""
        below = {name: section.repeating(repeated) for name, section in self.sections.items()}
        commands = replace(self.commands, repeated=repeated)
        return replace(self, commands=commands, sections=below)


RENDERERS = ("terminal", "markdown", "latex", "html")
"""Modules of this folder with a function ``render(page, spelling)``."""


def render(page: PageContent, form: str, spelling: Spelling = in_python) -> str:
    """Return a page as text in one form: "terminal", "markdown", "latex" or "html"."""
    renderer: Callable[[PageContent, Spelling], str] = import_module(f"iaa_jax.pages.{form}").render
    return renderer(page, spelling)
