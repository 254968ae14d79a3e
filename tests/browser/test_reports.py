"""Reports in a real browser: no message, no request, nothing that axe finds, no sideways scroll."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.overview.ratings import report_of

pytestmark = pytest.mark.browser

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip("there is no browser here: install chromium to run these")
    with playwright.sync_playwright() as started:
        yield started.chromium.launch(executable_path=path, args=["--no-sandbox"])


@pytest.fixture(scope="module", params=["single", "second", "spans"])
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("report") / f"{request.param}.html"
    report_of(request.param).save(path)
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


def test_what_is_folded_is_printed(browser: Any, file: Path) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(file.as_uri())
    folded = "[...document.querySelectorAll('details:not(.behind)')]"
    height = f"{folded}.map(each => each.getBoundingClientRect().height)"
    on_screen = page.evaluate(height)
    page.emulate_media(media="print")
    on_paper = page.evaluate(height)
    assert on_screen
    assert all(paper > screen for paper, screen in zip(on_paper, on_screen, strict=True))
    context.close()
