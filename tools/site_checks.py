"""Check a built site: dead links and anchors, missing names, and external resources.

The checks read only the HTML, so that they hold for any program that builds the site.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = re.compile(
    r"""<(?:script|img|iframe)[^>]*\ssrc=["']?(https?:)?//|"""
    r"""<link[^>]*rel=["']?stylesheet[^>]*href=["']?(https?:)?//|@import\s+url\(["']?(https?:)?//"""
)


HOSTILE = "<script>alert("
"""The beginning of a label in the examples, which must stay text."""


class Anchors(HTMLParser):
    """The links of a page, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record what a tag links to, and its id."""
        of_tag = dict(attrs)
        for name in ("id", "name"):
            if of_tag.get(name):
                self.places.add(of_tag[name] or "")
        if tag in ("a", "img", "link", "script"):
            link = of_tag.get("href") or of_tag.get("src")
            if link:
                self.links.append(link)


def found_in(site: Path, names: Set[str]) -> list[str]:
    """Return descriptions of all faults; ``names`` are anchors that some page must have."""
    pages = {page: page.read_text(encoding="utf-8") for page in sorted(site.rglob("*.html"))}
    read = {page: Anchors(text) for page, text in pages.items()}
    faults = [f"{page.relative_to(site)} loads something from elsewhere" for page in loading(pages)]
    faults += [f"{page.relative_to(site)} runs an example" for page in running(pages)]
    places = {place for anchors in read.values() for place in anchors.places}
    faults += [f"no page has {name}" for name in sorted(names - places)]
    for page, anchors in read.items():
        dead = dict.fromkeys(dead_links(page, anchors, read))
        faults += [f"{page.relative_to(site)} links to {link}, which is not there" for link in dead]
    return faults


def loading(pages: dict[Path, str]) -> list[Path]:
    """Return pages for which a browser would load something from another address."""
    return [page for page, text in pages.items() if LOADED.search(text)]


def running(pages: dict[Path, str]) -> list[Path]:
    """Return pages in which a label of an example became a script."""
    return [page for page, text in pages.items() if HOSTILE in text.lower()]


def dead_links(page: Path, anchors: Anchors, read: dict[Path, Anchors]) -> Iterator[str]:
    """Yield dead links within the site."""
    for link in anchors.links:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc or (page.name == "404.html" and link.startswith("/")):
            continue
        to = (page.parent / unquote(parts.path)).resolve() if parts.path else page
        places = read[to].places if to in read else {unquote(parts.fragment)}
        if not to.exists() or (parts.fragment and unquote(parts.fragment) not in places):
            yield link
