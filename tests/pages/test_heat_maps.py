"""Heat maps and bars: what is drawn is what is said, and can be read on every shade."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgba
from matplotlib.figure import Figure

from iaa_jax.pages import Curve, Page, Picture
from iaa_jax.pages.cells import Speaker
from iaa_jax.pages.drawing import draw
from iaa_jax.pages.heat_maps import FULL_FROM, SHADE, shades
from iaa_jax.pages.html.svg import description_of, inline
from iaa_jax.wording.spelling import in_python
from tests.overview.ratings import KINDS, report_of
from tests.pages.seen import blended, contrast, palettes

NAMES = np.array(["ann", "ben", "eve"], dtype=object)
VALUES = np.array([[np.nan, 0.25, 0.5], [0.25, np.nan, 1.0], [0.5, 1.0, np.nan]])
MATRIX = Picture("m", "matrix", "Title", "of pairs", NAMES, "", [Curve("", row) for row in VALUES])
PAGE = Page("", [], [MATRIX], {})


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_figures_stand_out_from_every_shade(scheme: int) -> None:
    style = palettes()[scheme]
    for share in np.linspace(0, 1, 1001):
        shade = blended(style["cell"], style["ground"], share)
        ink = style["full" if share >= FULL_FROM else "faint"]
        assert contrast(ink, shade) >= 4.5
    assert contrast(*(blended(style["cell"], style["ground"], k) for k in (0.03, 0.17))) > 1.2


def test_nothing_is_the_ground_and_a_label_with_itself_is_outlined() -> None:
    assert to_rgba(shades()(0.0))[3] == 0
    assert to_hex(shades()(1.0)) == SHADE
    ax = Figure().add_subplot()
    shares = np.array([[0.9, 0.03, 0.07], [0.17, 0.83, 0], [0, 0.52, 0.48]])
    confused = replace(MATRIX, curves=[Curve("", row) for row in shares], in_percent=True)
    draw(ax, confused, Speaker(PAGE, in_python))
    shaded = ax.collections[0].get_array()
    assert np.ma.getmaskarray(shaded).reshape(3, 3).tolist() == np.eye(3, dtype=bool).tolist()
    assert [patch.get_hatch() for patch in ax.patches] == [None] * 3
    texts = {text.get_position(): text.get_text() for text in ax.texts}
    assert [texts[k, 1] for k in range(3)] == ["17 %", "83 %", "0 %"]


def test_unknown_cells_are_hatched_and_have_no_figure() -> None:
    ax = Figure().add_subplot()
    draw(ax, MATRIX, Speaker(PAGE, in_python))
    assert [patch.get_hatch() for patch in ax.patches] == ["////"] * 3
    texts = {text.get_position(): text.get_text() for text in ax.texts if text.get_text()}
    for (row, column), value in np.ndenumerate(VALUES):
        said = texts.get((column, row))
        assert said == (None if np.isnan(value) else f"{value:.2f}")


def test_who_does_not_see_it_is_told_its_range() -> None:
    said = description_of(MATRIX, Speaker(PAGE, in_python))
    assert said == "Heat map: 3 rows and columns; from 0.25 to 1; 3 unknown; of pairs"
    long = Picture("m", "matrix", "", "x" * 1000, NAMES, "", MATRIX.curves)
    assert len(description_of(long, Speaker(PAGE, in_python))) == 250


def test_cells_of_a_shade_are_one_path() -> None:
    shares = np.random.default_rng(0).random((26, 26))
    names = np.array([f"ann {k}" for k in range(26)], dtype=object)
    picture = Picture("m", "matrix", "", "", names, "", [Curve("", row) for row in shares])
    drawn = str(inline(picture, Speaker(PAGE, in_python)))
    outlines = re.findall(r' d="((?:M[^MLZ]*Z)+)"', drawn)
    assert len(outlines) <= 64 + 10  # of the key
    assert sum(each.count("M") for each in outlines) == 26 * 26 + 10


def _known(page: Page, picture: Picture) -> set[float]:
    """All numbers that a title may hold."""
    values = [np.asarray(curve.y, np.float64) for curve in picture.curves]
    values += [np.array([np.nansum(each)]) for each in values]
    if picture.x.dtype.kind in "fi":
        values.append(picture.x)
    for result in page.results.values():
        values += [each.values.ravel() for each in result.data_vars.values() if _is_number(each)]
        values.append(np.array([v for v in result.attrs.values() if isinstance(v, (int, float))]))
    return set(np.concatenate([np.asarray(each, np.float64).ravel() for each in values]).tolist())


def _is_number(values: object) -> bool:
    return getattr(values, "dtype").kind in "fiu"  # noqa: B009


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_in_titles_are_those_of_the_data(kind: str) -> None:
    report = report_of(kind)
    pictures = 0
    for page in (report, *report.sections.values()):
        speaker = Speaker(page, in_python)
        for picture in (block for block in page.blocks if isinstance(block, Picture)):
            pictures += 1
            title = re.sub(r"'[^']*'|annotator \d", "", speaker.text(picture.title))
            known = _known(page, picture)
            for number, percent in re.findall(r"(-?\d[\d,]*(?:\.\d+)?)( %)?", title):
                digits = len(number.partition(".")[2])
                value = float(number.replace(",", ""))
                scale = 100 if percent else 1
                assert any(
                    round(each * scale, digits) == value or round(each, digits) == value
                    for each in known
                    if np.isfinite(each)
                ), (title, number)
    assert pictures
