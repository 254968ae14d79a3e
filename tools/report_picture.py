"""Draw docs/images/report.png, which README.md and docs/report.md show.

``python tools/report_picture.py`` makes the brief report of the demonstration data and a screenshot
of its first screen. It needs the extra "test" and chromium. Make the picture again when the page
changes; no test compares it, since fonts differ between machines.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
WRITTEN = ROOT / "docs" / "images" / "report.png"
WIDTH = 840
COLOURS = 256
"""Number of colours in the picture, which makes it a third as large."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def screen_of(page: Path) -> bytes:
    """Take a screenshot of a page, down to the end of its first picture."""
    browser = next(filter(None, map(shutil.which, BROWSERS)))
    with sync_playwright() as started:
        shown = started.chromium.launch(executable_path=browser, args=["--no-sandbox"]).new_page(
            viewport={"width": WIDTH, "height": 900}, color_scheme="light"
        )
        shown.goto(page.as_uri())
        box = shown.locator("figure").first.bounding_box()
        assert box is not None
        clip = {"x": 0, "y": 0, "width": WIDTH, "height": round(box["y"] + box["height"])}
        return shown.screenshot(full_page=True, clip=clip)  # type: ignore[arg-type]


def main() -> None:
    """Make the report and write the picture."""
    with tempfile.TemporaryDirectory() as folder:
        for command in ("demo --save pandalm.csv", "report pandalm.csv --brief"):
            program = [sys.executable, "-m", "iaa_jax", *command.split()]
            subprocess.run(program, cwd=folder, check=True, capture_output=True)
        picture = Image.open(io.BytesIO(screen_of(Path(folder) / "brief.html")))
    WRITTEN.parent.mkdir(exist_ok=True)
    picture.convert("RGB").quantize(COLOURS).save(WRITTEN, optimize=True)
    print(f"{WRITTEN.relative_to(ROOT)} is written")


if __name__ == "__main__":
    main()
