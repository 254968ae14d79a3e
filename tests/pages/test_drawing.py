"""Pictures as people see them: whole, on a telephone too, in one unit, and without a warning."""

from __future__ import annotations

import io
import logging
import re
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.image import imread

import iaa_jax as iaa
from iaa_jax.pages import Curve, Page, Picture
from iaa_jax.pages.blocks import Band, Mark
from iaa_jax.pages.cells import Speaker, distinct_names
from iaa_jax.pages.drawing import draw, drawing
from iaa_jax.pages.html.svg import inline
from iaa_jax.pages.lettering import quietly
from iaa_jax.wording.spelling import in_python
from tests.overview.ratings import single

SPEAKER = Speaker(Page("", [], [], {}), in_python)
LONG = "Coefficients go from 0.580 (Mean pairwise kappa) to 0.747 (Percent agreement) " * 3
NAMES = np.array([f"firstname.last-{k:02}@example-company.com" for k in range(26)], dtype=object)
Y = np.linspace(0, 1, len(NAMES))
BAND = Band("95 % band of all of the points together", Y - 0.1, Y + 0.1)


def picture_of(kind: str, x: np.ndarray = NAMES) -> Picture:
    matrix = kind == "matrix"
    curves = [Curve(f"{name} has this long curve", Y) for name in (x if matrix else x[:3])]
    marks = [Mark("where it is", y=0.5)] if kind in ("lines", "points") else []
    bands = [] if matrix or kind == "bars" else [BAND]
    place = np.arange(26.0) if kind == "lines" else x
    return Picture("p", kind, LONG, LONG, place, LONG, curves, bands, marks, y_label=LONG)


KINDS = ("lines", "points", "bars", "intervals", "matrix")


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_of_a_saved_picture_is_cut(kind: str) -> None:
    pixels = imread(io.BytesIO(drawing(picture_of(kind), SPEAKER, "png")))
    assert pixels.min() < 0.5
    for edge in (pixels[:4], pixels[-4:], pixels[:, :4], pixels[:, -4:]):
        assert edge.min() == 1


@pytest.mark.parametrize("kind", KINDS)
def test_text_on_a_telephone_has_ten_pixels(kind: str) -> None:
    few = picture_of(kind)
    drawn = str(inline(few, SPEAKER)).split("<svg ")[1:]
    assert [re.search('class="([a-z]+)"', each)[1] for each in drawn] == (  # type: ignore[index]
        ["matrix"] if kind == "matrix" else ["wide", "narrow"]
    )
    narrow = drawn[-1]
    shown = 42 * 16 if kind == "matrix" else 328  # a heat map scrolls
    width = float(re.search(r'viewBox="0 0 ([\d.]+)', narrow)[1])  # type: ignore[index]
    sizes = [float(size) for size in re.findall(r"(?:font: |font-size: )([\d.]+)px", narrow)]
    assert min(sizes) * shown / width >= 10


def test_a_small_heat_map_needs_no_scrolling() -> None:
    small = replace(picture_of("matrix", NAMES[:4]), curves=[Curve("", Y[:4])] * 4)
    assert str(inline(small, SPEAKER)).count("<svg ") == 2


def test_days_are_whole_dates() -> None:
    days = np.datetime64("2026-03-02", "ns") + np.arange(26) * np.timedelta64(1, "D")
    figure = Figure()
    ax = figure.add_subplot()
    draw(ax, replace(picture_of("lines"), x=days), SPEAKER)
    figure.canvas.draw()
    said = [label.get_text() for label in ax.get_xticklabels()]
    assert len(said) > 1
    assert all(re.fullmatch(r"2026-0[34]-\d\d", each) for each in said)


def test_bars_have_the_unit_of_the_table() -> None:
    page = iaa.page(iaa.gold(single()))
    assert all(name.endswith(" %") for name in page.pictures[0].x)
    weighed = iaa.page(iaa.gold(single(), method="dawid_skene"))
    assert not any("%" in name for name in weighed.pictures[0].x)


def test_names_are_shortened_to_what_differs() -> None:
    assert distinct_names(list(NAMES[:3]), 24) == ["…00@…", "…01@…", "…02@…"]
    mixed = ["anna.meier@example-company.com", "bob@example-company.com", "gpt-x"]
    assert distinct_names(mixed, 24) == ["anna.meier@…", "bob@…", "gpt-x"]
    assert distinct_names(mixed[1:], 24) == mixed[1:]
    rng = np.random.default_rng(0)
    for _ in range(300):
        names = {"".join(rng.choice(list("ab.@-"), rng.integers(1, 30))) for _ in range(9)}
        cut = distinct_names(sorted(names), 6)
        assert len(set(cut)) == len(names)
        assert max(map(len, cut)) <= 6


def test_what_matplotlib_warns_of_reaches_nobody(caplog: pytest.LogCaptureFixture) -> None:
    days = np.datetime64("2020-01-01", "ns") + np.arange(0, 1700, 100) * np.timedelta64(1, "D")
    picture = Picture("p", "lines", "\u4e00\U0001f600", "", days, "", [Curve("", np.arange(17.0))])
    assert drawing(picture, SPEAKER, "png")
    with quietly():
        logging.getLogger("matplotlib.font_manager").warning("a cache is made")
    assert not caplog.records
