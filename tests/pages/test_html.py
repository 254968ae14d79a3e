"""Pages as HTML: well-formed, named, without script or network, whatever the names are."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

import iaa_jax as iaa
from iaa_jax.pages import Column, Page, Picture, Table, drawing, render
from iaa_jax.pages.blocks import Band, Curve
from iaa_jax.pages.pictures import forest_of
from iaa_jax.wording import Note
from tests.pages.seen import blended, contrast, palettes, style

VOID = {"meta", "link", "br", "img", "hr", "input"}
HOSTILE = (
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</title></style>", "&amp;",
    "$a$ and $b_$", "\\textbf", "50%", "a|b", "line\nbreak", "\x00", "\u202eright", "x" * 10_000,
    "{{ 7 * 7 }}", "javascript:alert(1)",
)  # fmt: skip


class Outline(HTMLParser):
    """The elements of a page, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(scope="module")
def ratings():
    rows = [["a", "a", "b"]] * 9 + [["b", "b", "b"]] * 7 + [["c", "a", "c"]] * 5
    return iaa.from_wide(pd.DataFrame(rows, columns=["ann", "ben", "eve"]))


@pytest.fixture(scope="module")
def pages(ratings) -> dict[str, Page]:
    return {
        "agree": iaa.page(iaa.agree(ratings)),
        "annotators": iaa.page(iaa.annotators(ratings)),
        "drift": iaa.page(iaa.drift(ratings, "order", interval="percentile", replicates=60)),
    }


@pytest.mark.parametrize("name", ["agree", "annotators", "drift"])
def test_a_page_is_one_file_that_nothing_is_loaded_for(pages: dict[str, Page], name: str) -> None:
    text = render(pages[name], "html")
    page = Outline(text)
    tags = {tag for tag, _ in page.elements}
    assert not tags & {"script", "iframe", "link", "img", "object", "embed", "form", "base"}
    assert len(page.all("h1")) == len(page.all("title")) - len(page.all("svg")) == 1
    named = [given["id"] for _, given in page.elements if "id" in given]
    assert len({*named}) == len(named)
    for _, given in page.elements:
        assert not [key for key in given if key.startswith("on")]
        for key in ("href", "src", "xlink:href"):
            assert given.get(key, "#").startswith("#")
            assert given.get(key, "#") in {"#", *(f"#{each}" for each in named)}
    for given in page.all("svg"):
        assert given["role"] == "img"
        assert {*str(given["aria-labelledby"]).split()} <= {*named}
    assert all(given["scope"] in ("col", "row") for given in page.all("th"))
    assert "url(http" not in text
    assert len(text.encode()) < 200_000


def hostile() -> Page:
    ends = np.linspace([0.1, 0.0, 0.3], [0.8, 0.6, 0.9], len(HOSTILE))
    columns = [
        Column("item", Note("named", {"name": HOSTILE[0]}), HOSTILE, "label"),
        Column("text", HOSTILE[1], HOSTILE, "text"),
        Column("share", "Share", ends[:, 0], "estimate"),
        Column("drawn", "", ends, "span"),
    ]
    values = np.linspace(0, 1, len(HOSTILE))
    picture = Picture(
        HOSTILE[0],
        "points",
        Note("named", {"name": HOSTILE[4]}),
        HOSTILE[1],
        np.array(HOSTILE, dtype=object),
        HOSTILE[2],
        [Curve(HOSTILE[0], values)],
        [Band(HOSTILE[4], values - 0.1, values + 0.1)],
    )
    table = Table(HOSTILE[2], columns, HOSTILE[4])
    return Page(HOSTILE[0], [Note("named", {"name": HOSTILE[1]})], [table, picture], WORDS)


WORDS = {"named": "{name:name}"}


def test_no_name_is_markup() -> None:
    for shown in (hostile(), Page("t", [], hostile().blocks[:1], WORDS)):
        text = render(shown, "html")
        page = Outline(text)
        tags = {tag for tag, _ in page.elements}
        assert not tags & {"script", "img", "iframe"}
        assert not [key for _, given in page.elements for key in given if key.startswith("on")]
        assert "\x00" not in text
        assert "\u202e" not in text
        assert "".join(page.text).count("<script>alert(1)</script>") >= 2
        assert "{{ 7 * 7 }}" in page.text
        assert len(page.all("h1")) == 1


def test_drawn_intervals_hold_the_numbers_of_their_column() -> None:
    (table, _) = hostile().blocks
    forest = forest_of(table, list(HOSTILE))
    assert forest is not None
    ends = np.asarray(table.columns[3].values)
    np.testing.assert_array_equal(forest.curves[0].y, ends[:, 0])
    np.testing.assert_array_equal(forest.bands[0].low, ends[:, 1])
    np.testing.assert_array_equal(forest.bands[0].high, ends[:, 2])
    assert forest_of(Table("t", table.columns[:3]), list(HOSTILE)) is None


def test_a_long_table_is_folded_and_ends_somewhere() -> None:
    rows = 1000
    column = Column("item", "Item", [f"i{k}" for k in range(rows)], "label")
    text = render(Page("t", [], [Table("t", [column], "All")], {}), "html")
    page = Outline(text)
    assert len(page.all("details")) == 1
    assert len(page.all("tr")) == 1 + 200
    assert "i199" in page.text
    assert "i200" not in page.text


def test_text_and_marks_stand_out_on_both_grounds() -> None:
    light, dark = palettes()
    assert {*light} == {*dark}
    for colours in (light, dark):
        for ground in ("ground", "panel"):
            for text in ("ink", "muted", "link"):
                assert contrast(colours[text], colours[ground]) >= 4.5
            for mark in drawing.SERIES:
                assert contrast(mark[0], colours[ground]) >= 3
        assert contrast(colours["axis"], colours["ground"]) >= 3
    assert {*drawing.COLOURS.values()} <= {*light}


@pytest.mark.parametrize(("text", "ground"), [("#212121", "#ffffff"), ("#dedede", "#111111")])
def test_a_notebook_is_read_on_its_own_ground(text: str, ground: str) -> None:
    ours = re.search(r"^\.iaa \{([^}]*)\}", style(), re.MULTILINE)
    assert ours is not None
    assert "#" not in ours[1]
    share = re.search(r"--muted: color-mix\(in srgb, currentColor (\d+)%, transparent\)", ours[1])
    assert share is not None
    assert contrast(blended(text, ground, int(share[1]) / 100), ground) >= 4.5


def test_a_notebook_gets_html_without_pictures(pages: dict[str, Page]) -> None:
    bundle = pages["drift"]._repr_mimebundle_()
    page = Outline(bundle["text/html"])
    assert page.elements[0] == ("div", {"class": "iaa"})
    assert not page.all("svg")
    assert len(bundle["text/html"].encode()) < 100_000
