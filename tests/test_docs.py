"""The pages of docs/: their Python runs, their links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.markdown import run_python

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
LINK = re.compile(r"\]\((?!https?://|#)([^)#]+)(?:#[^)]*)?\)")

# Pages of prose alone; every other one must have an example that runs.
# gallery.md is executed by tools/pictures.py; project.md by test_project_page.py, with files of its
# own.
WITHOUT_CODE = {
    "coefficients.md",
    "commands.md",
    "conformance.md",
    "formats.md",
    "leads.md",
    "gallery.md",
    "project.md",
    "questions.md",
    "scope.md",
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_run(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert (run_python(page) == 0) == (page.name in WITHOUT_CODE)


@pytest.mark.parametrize(
    "page", [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name
)
def test_the_links_lead_somewhere(page: Path) -> None:
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []
