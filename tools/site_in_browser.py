"""Check a built site in a browser: python tools/site_in_browser.py FOLDER [--pictures FOLDER].

Some pages are opened as files, narrow and wide, light and dark. No request may go to a server,
nothing may be wider than its window, no message and no dialog may appear, axe must find no fault,
and the search must find a page. It needs chromium and the extra "dev".
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

BROWSERS = ("chromium", "chromium-browser", "google-chrome")

PAGES = (
    *("index.html", "docs/questions.html", "docs/gallery.html"),
    *("docs/report.html", "docs/commands.html", "api/gold.html"),
)

SIZES = (360, 1280)
SCHEMES = ("light", "dark")

SOUGHT = ("prevalence", "iaa_jax.contingency")
"""Words that are typed into the search, and a title that the search must show."""


def wrong_with(browser: Any, site: Path, name: str, pictures: Path | None) -> Iterator[str]:
    """Yield the faults of a page, in every width and scheme."""
    for width in SIZES:
        for scheme in SCHEMES:
            size = {"width": width, "height": 900}
            context = browser.new_context(viewport=size, color_scheme=scheme)
            page = context.new_page()
            messages: list[str] = []
            page.on("console", lambda message, messages=messages: messages.append(message.text))
            page.on("pageerror", lambda error, messages=messages: messages.append(str(error)))
            page.on(
                "dialog",
                lambda dialog, messages=messages: (messages.append("a dialog"), dialog.dismiss()),
            )
            page.on("request", lambda request, messages=messages: messages.append(request.url))
            page.goto((site / name).as_uri())
            page.wait_for_timeout(300)
            faults = [each for each in messages if not each.startswith("file:")]
            for each in Axe().run(page).response["violations"]:
                faults.append(f"axe: {each['id']}: {each['nodes'][0]['html'][:200]}")
            if page.evaluate("document.documentElement.scrollWidth") > width:
                faults.append("wider than its window")
            if pictures is not None:
                file = f"{name.removesuffix('.html').replace('/', '-')}-{width}-{scheme}.png"
                page.screenshot(path=pictures / file)
            context.close()
            yield from (f"{name}, {width}, {scheme}: {each}" for each in faults)


def found_by_search(browser: Any, site: Path) -> bool:
    """Tell whether the search works if the site is opened from files."""
    typed, wanted = SOUGHT
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto((site / "index.html").as_uri())
    page.locator(".md-search__button").first.click()
    page.get_by_placeholder("Search").first.wait_for()
    page.wait_for_timeout(1000)
    page.keyboard.type(typed, delay=50)
    try:
        page.get_by_text(wanted).first.wait_for(timeout=10_000)
    except Exception:
        return False
    finally:
        page.close()
    return True


def main() -> int:
    """Check the pages, and print their faults."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("site", type=Path)
    parser.add_argument("--pictures", type=Path)
    arguments = parser.parse_args()
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        print("tools/site_in_browser.py: there is no browser here; nothing was looked at")
        return 0
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
        site = arguments.site.resolve()
        wrong = [
            each for name in PAGES for each in wrong_with(browser, site, name, arguments.pictures)
        ]
        if not found_by_search(browser, site):
            wrong.append(f"the search for {SOUGHT[0]!r} does not show {SOUGHT[1]!r}")
    for each in wrong:
        print(f"tools/site_in_browser.py: {each}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
