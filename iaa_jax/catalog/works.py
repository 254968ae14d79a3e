"""The works that the catalogue cites, from `works.bib`: as citations in text, and as BibTeX.

An entry of the catalogue names a work by its key in braces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_ENTRY = re.compile(r"@(\w+)\{(\w+),\n(.*?)\n\}", re.DOTALL)
_FIELD = re.compile(r"^  (\w+) = \{(.*)\},$", re.MULTILINE)
_KEY = re.compile(r"\{(\w+)\}")
_SPECIAL = re.compile(r"([&%#_])")
_NAMED = 3
"""Maximum number of authors whom a citation names; if there are more, it names only the first."""


@dataclass(frozen=True)
class Work:
    """An entry of the bibliography."""

    kind: str
    key: str
    fields: Mapping[str, str]

    @property
    def cited(self) -> str:
        """Authors and year, as cited in text.

        Examples
        --------
        >>> works_of("{bennett1954}")[0].cited, works_of("{hovy2013}")[0].cited
        ('Bennett, Alpert and Goldstein 1954', 'Hovy et al. 2013')
        """
        authors = self.fields["author"].split(" and ")
        *others, last = [author.partition(",")[0].strip("{}") for author in authors]
        if len(others) >= _NAMED:
            names = f"{others[0]} et al."
        else:
            names = f"{', '.join(others)} and {last}" if others else last
        return f"{names} {self.fields.get('year', '')}".rstrip()

    def bibtex(self, more: Mapping[str, str]) -> str:
        """Return the BibTeX entry of the work, with further fields at the end."""
        fields = {**self.fields, **more}
        lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])


@cache
def bibliography() -> Mapping[str, Work]:
    """Return the works of the bibliography by key."""
    text = files("iaa_jax.catalog").joinpath("works.bib").read_text(encoding="utf-8")
    entries = _ENTRY.findall(text)
    return {key: Work(kind, key, dict(_FIELD.findall(body))) for kind, key, body in entries}


def works_of(sources: str) -> list[Work]:
    """Return the works whose keys occur in a text."""
    return [bibliography()[key] for key in _KEY.findall(sources)]


def cited(sources: str) -> str:
    """Return a text with authors and years in place of keys."""
    return _KEY.sub(lambda found: bibliography()[found[1]].cited, sources)


class Sourced:
    """Base class of catalogue entries, whose ``sources`` cite works by their keys in braces."""

    sources: str

    @property
    def source(self) -> str:
        """The sources, with authors and years in place of keys."""
        return cited(self.sources)

    @property
    def doi(self) -> str:
        """The DOI of the first cited work that has one; "" if no work has one."""
        return next(filter(None, (work.fields.get("doi") for work in works_of(self.sources))), "")

    @property
    def link(self) -> str:
        """The web address of a cited work, its DOI if there is one; "" if there is no address."""
        urls = (work.fields.get("url") for work in works_of(self.sources))
        return f"https://doi.org/{self.doi}" if self.doi else next(filter(None, urls), "")


def bibtex_of(sources: Iterable[tuple[str, str]], version: str) -> str:
    """Return the BibTeX entries of works and of this package, without repeats.

    ``sources`` are pairs of a purpose and a text with keys. The purpose becomes an ``annote``,
    which the usual styles do not print.
    """
    uses: dict[str, list[str]] = {}
    for use, text in sources:
        for work in works_of(text):
            uses.setdefault(work.key, []).append(_SPECIAL.sub(r"\\\1", use))
    works = bibliography()
    entries = [works[key].bibtex({"annote": "; ".join(of)}) for key, of in uses.items()]
    return "\n\n".join([*entries, works["iaa_jax"].bibtex({"version": version})])
