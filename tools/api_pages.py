"""The reference of the Python API, from signatures and docstrings, as pages in Markdown.

There is a page for ratings, for measuring, for coefficients, for each analysis, and for each
namespace. Options that many functions explain in the same words have a page of their own, to which
the functions refer.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import NamedTuple

import griffe
import markdown_text

import iaa_jax
from iaa_jax._names import MEMBERS, MODULES, SUBMODULES
from iaa_jax.analyses import ANALYSES
from iaa_jax.catalog import CATALOG

MANY = 6
"""Minimum number of functions that explain an option in the same words for the common page."""

LINE = 88
"""Maximum length of a signature on one line."""

KIND = griffe.DocstringSectionKind

PAGES = {
    "ratings": "Ratings, from files and tables",
    "measure": "Measuring, pages and reports",
    "coefficients": "Coefficients",
}
"""Pages whose names come from many modules."""

OF_RATINGS = ("iaa_jax.data", "iaa_jax.io", "iaa_jax.scale")

SHARED = (KIND.parameters, KIND.returns)
"""Kinds of sections that may be on the common page."""


class Option(NamedTuple):
    """A parameter and its description."""

    name: str
    type: str
    text: str


def pages() -> dict[str, str]:
    """Return the pages by name, with the index first."""
    groups = grouped()
    texts = {page: "\n\n".join(_page(page, *of_page)) for page, of_page in groups.items()}
    return {"index": _index(groups), **texts, "options": _options()}


@cache
def grouped() -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return the title of each page, and its names without ``iaa_jax.``."""
    names: dict[str, list[str]] = {page: [] for page in PAGES}
    titles = dict(PAGES)
    for row in ANALYSES:
        text = inspect.getdoc(import_module(f"iaa_jax.analyses.{row.folder}")) or ""
        titles.setdefault(row.folder, " ".join(text.split("\n\n")[0].split()).removesuffix("."))
        names.setdefault(row.folder, [])
    for name, module in MODULES.items():
        names[_page_of(module)] += [
            name,
            *(f"{name}.{each}" for each in MEMBERS.get(name, ())),
        ]
    for space in SUBMODULES:
        module = import_module(f"iaa_jax.{space}")
        titles.setdefault(space, f"iaa_jax.{space}")
        names.setdefault(space, []).extend(f"{space}.{each}" for each in module.__all__)
    names["measure"].append("pages.Page")
    return {page: (titles[page], tuple(listed)) for page, listed in names.items() if listed}


def short_title(page: str) -> str:
    """Return the title of a page in a list of pages; for an analysis, the names of functions."""
    title, names = grouped()[page]
    listed = [name for name in names if "." not in name]
    return title if page in PAGES or not listed else ", ".join(listed)


def _page_of(module: str) -> str:
    if module == "iaa_jax.measure.functions":
        return "coefficients"
    if module.startswith("iaa_jax.analyses."):
        return module.split(".")[2]
    return "ratings" if module.startswith(OF_RATINGS) else "measure"


def public_names() -> set[str]:
    """Return all names that must be in the reference."""
    return {name for _, names in grouped().values() for name in names} | {"__version__"}


def _object(name: str) -> object:
    public: object = iaa_jax
    parts = name.split(".")
    if parts[0] == "pages":
        public, parts = import_module("iaa_jax.pages"), parts[1:]
    for part in parts:
        public = getattr(public, part)
    return public


def _index(groups: dict[str, tuple[str, tuple[str, ...]]]) -> str:
    parts = [
        "# Python",
        "Every public name. `import iaa_jax as iaa` loads nothing heavy; `help(iaa.gold)` shows in "
        "Python what stands here.",
        '<span id="iaa_jax.__version__"></span>`iaa_jax.__version__` is the version.',
    ]
    for page, (title, names) in groups.items():
        rows = [f"- {_link(name, page)}: {_first_line(_object(name))}" for name in names]
        parts += [f"## {marked(title)}", "\n".join(rows)]
    return "\n\n".join(parts) + "\n"


def _link(name: str, page: str = "") -> str:
    at = f"{page}.md" if page else ""
    return f"[`iaa_jax.{name}`]({at}#iaa_jax.{name})"


def _first_line(public: object) -> str:
    return marked((inspect.getdoc(public) or "").partition("\n")[0])


def _page(page: str, title: str, names: tuple[str, ...]) -> Iterator[str]:
    yield f"# {marked(title)}"
    if page in SUBMODULES:
        yield from _paragraphs(inspect.getdoc(import_module(f"iaa_jax.{page}")) or "")
    described: dict[str, str] = {}
    for name in names:
        public = _object(name)
        yield f"## `iaa_jax.{name}` {{ #iaa_jax.{name} }}"
        text = inspect.getdoc(public) or ""
        if (first := described.setdefault(text, name)) != name:
            yield f"Another name of {_link(first)}."
            continue
        yield from _described(name, public)
        if inspect.isclass(public):
            for method, of_class in vars(public).items():
                if not method.startswith("_") and inspect.isfunction(of_class):
                    yield f"### `{method}` {{ #iaa_jax.{name}.{method} }}"
                    yield from _described(method, of_class)


def _described(name: str, public: object) -> Iterator[str]:
    """Yield the sections of a docstring."""
    sections = _sections(public)
    made_by_users = any(section.kind is KIND.parameters for section in sections)
    if callable(public) and (made_by_users or not inspect.isclass(public)):
        yield f"```python\n{signature(name.rpartition('.')[2], public)}\n```"
    for section in sections:
        title = section.title or section.kind.value.capitalize()
        if section.kind is KIND.text:
            yield "\n\n".join(_paragraphs(section.value))
            continue
        options = _options_of(section)
        own_options = [option for option in options if option not in shared_options()]
        elsewhere = ", ".join(_option_link(each) for each in options if each not in own_options)
        if section.kind not in SHARED or own_options:
            yield f"**{title}**"
        if section.kind is KIND.examples:
            for kind, text in section.value:
                yield f"```pycon\n{text}\n```" if kind is KIND.examples else marked(text)
        elif section.kind is KIND.admonition:
            yield marked(section.value.description).replace("\n", "  \n")
        yield from map(_definition, own_options)
        if elsewhere:
            yield f"**{title}** shared with [many functions](options.md): {elsewhere}."


@cache
def _sections(public: object) -> list[griffe.DocstringSection]:
    text = inspect.getdoc(public) or ""
    return griffe.Docstring(text).parse("numpy", warnings=False)


def signature(name: str, function: Callable[..., object]) -> str:
    """Return a function's signature: names and defaults, without types."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:
        return f"{name}(...)"
    parts, starred = [], False
    for each in parameters:
        if each.name == "self":
            continue
        if each.kind is each.KEYWORD_ONLY and not starred:
            starred = True
            parts.append("*")
        starred |= each.kind is each.VAR_POSITIONAL
        bare = each.replace(annotation=each.empty)
        parts.append(str(bare))
    line = f"{name}({', '.join(parts)})"
    if len(line) <= LINE:
        return line
    return "\n".join([f"{name}(", *(f"    {part}," for part in parts), ")"])


def _options_of(section: griffe.DocstringSection) -> list[Option]:
    """Split a section by name; names that are explained together stay together."""
    options: list[Option] = []
    if section.kind in (KIND.text, KIND.examples, KIND.admonition):
        return options
    for each in section.value:
        name = getattr(each, "name", None) or ""
        option = Option(name, str(each.annotation or ""), each.description.strip())
        if options and option.name and options[-1][1:] == option[1:] and option.text:
            option = option._replace(name=f"{options.pop().name}, {each.name}")
        options.append(option)
    return options


@cache
def shared_options() -> dict[Option, str]:
    """Return options that many functions explain in the same words, with their anchors."""
    names = sorted(name for _, listed in grouped().values() for name in listed)
    sections = [section for name in names for section in _sections(_object(name))]
    counts = Counter(
        option for section in sections if section.kind in SHARED for option in _options_of(section)
    )
    shared = sorted(option for option, count in counts.items() if count >= MANY)
    anchors: dict[Option, str] = {}
    for option in shared:
        before = sum(other.name == option.name for other in anchors)
        anchor = option.name.replace(", ", "-") or "returns"
        anchors[option] = f"{anchor}-{before + 1}" if before else anchor
    return anchors


def _option_link(option: Option) -> str:
    return f"[`{option.name or option.type}`](options.md#{shared_options()[option]})"


def _options() -> str:
    parts = ["# What many functions have in common"]
    for option, anchor in shared_options().items():
        kind = f"*{marked(option.type)}*" if option.type else ""
        title = f"`{option.name}`" if option.name else "What is returned"
        parts += [f"## {title} {{ #{anchor} }}", kind, marked(option.text)]
    return "\n\n".join(filter(None, parts)) + "\n"


def _definition(option: Option) -> str:
    """Write a name with its type, and its description below."""
    kind = f"*{marked(option.type)}*" if option.type else ""
    term = " : ".join(filter(None, (f"`{option.name}`" if option.name else "", kind))) or "\u00a0"
    lines = marked(option.text.strip()).splitlines() or ["\u00a0"]
    return f"{term}\n\n:   " + "\n    ".join(lines)


@cache
def _equations() -> frozenset[str]:
    return frozenset(" ".join(row.equation.split()) for row in CATALOG.values())


def _paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a text; equations are unchanged."""
    for part in text.split("\n\n"):
        if " ".join(part.split()) in _equations():
            yield f"```text\n{part}\n```"
        else:
            yield marked(part)


def marked(text: str) -> str:
    """Write a docstring's text as Markdown, with links for the names in it."""
    return markdown_text.marked(text, _links())


@cache
def _links() -> dict[str, str]:
    return {
        f"iaa_jax.{name}": f"{page}.md#iaa_jax.{name}"
        for page, (_, names) in grouped().items()
        for name in names
    }
