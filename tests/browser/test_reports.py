"""Reports in a real browser: no message, no request, nothing that axe finds, no sideways scroll."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import iaa_jax as iaa
from tests.overview.ratings import KINDS, QUICK, report_of

pytestmark = pytest.mark.browser

PAPER = 680
"""The width of A4 within the margins, in CSS pixels."""

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip("there is no browser here: install chromium to run these")
    with playwright.sync_playwright() as started:
        yield started.chromium.launch(executable_path=path, args=["--no-sandbox"])


@pytest.fixture(params=["single", "second", "spans"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def file(kind: str, tmp_path: Path) -> Path:
    path = tmp_path / f"{kind}.html"
    report_of(kind).save(path)
    return path


def test_a_report_is_quiet_accessible_and_fits(browser: Any, file: Path) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="no axe")
    for width, scheme in ((360, "light"), (1280, "dark")):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        page = context.new_page()
        messages: list[str] = []
        requests: list[str] = []
        page.on("console", lambda message, told=messages: told.append(message.text))
        page.on("request", lambda request, told=requests: told.append(request.url))
        page.goto(file.as_uri())
        assert requests == [file.as_uri()]
        found = axe.Axe().run(page).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert messages == []
        context.close()


def test_paper_has_the_first_rows_of_what_is_folded(browser: Any, tmp_path: Path) -> None:
    """Of a closed table 20 rows and how many more there are, of an open one all."""
    file = tmp_path / "long.html"
    items = [*(["a", "b", "a"] for _ in range(30)), *(["b", "b", "b"] for _ in range(30))]
    names = [f"annotator-{k}@example.org" for k in range(3)]
    text = ("text", ["a longer text of several words in a row"] * len(items))
    ratings = iaa.from_wide(pd.DataFrame(items, columns=names)).assign_coords(text=text)
    iaa.report(ratings, sections=["items"], **QUICK).save(file)
    page = browser.new_page()
    page.goto(file.as_uri())
    page.emulate_media(media="print")
    page.set_viewport_size({"width": PAPER, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= PAPER  # or all is scaled down
    rows = "document.querySelectorAll('table[aria-label^=\"30 of 60\"] tbody tr')"
    shown = f"[...{rows}].filter(each => each.getBoundingClientRect().height).length"
    more = page.get_by_text("10 more rows are in the file")
    assert page.evaluate(shown) == 20
    assert more.is_visible()
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert page.evaluate(shown) == 30
    assert not more.is_visible()


def test_a_brief_report_is_one_page_of_paper(browser: Any, kind: str, tmp_path: Path) -> None:
    file = tmp_path / f"{kind}.html"
    iaa.report(KINDS[kind](), brief=True, **QUICK).save(file)
    page = browser.new_page()
    page.goto(file.as_uri())
    for paper in ("A4", "Letter"):
        printed = page.pdf(format=paper, prefer_css_page_size=True)
        assert len(re.findall(rb"/Type /Page\b", printed)) == 1
    page.close()
