"""The pages of docs/: their Python runs, their links lead somewhere."""

from __future__ import annotations

import math
import re
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from iaa_jax.kernels.label_agreement import NAMED
from tests.markdown import run_python

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
LINK = re.compile(r"\]\((?!https?://)([^)#\s]*)(?:#([^)]*))?\)")

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
    "index.md",
    "reader-study.md",
    "project.md",
    "questions.md",
    "questions-data.md",
    "questions-people.md",
    "scope.md",
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_run(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert (run_python(page) == 0) == (page.name in WITHOUT_CODE)


def anchors_of(page: Path) -> set[str]:
    """The anchors of the headings of a page."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    headings = re.findall(r"^#+ (.+)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", each.lower()).strip().replace(" ", "-") for each in headings}


@pytest.mark.parametrize(
    "page",
    [*PAGES, *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"))],
    ids=lambda page: page.name,
)
def test_the_links_lead_somewhere(page: Path) -> None:
    for target, anchor in LINK.findall(page.read_text(encoding="utf-8")):
        to = page.parent / target if target else page
        assert to.exists(), target
        assert not anchor or to.suffix != ".md" or anchor in anchors_of(to), (target, anchor)


WEIGHTS = re.compile(r"^\| `(\w+)` \| (1 less )?`(1 - )?(.+?)`.*? \| ([\d., ]+) \|$", re.MULTILINE)
FORMULAS = {name: rest for name, *rest in WEIGHTS.findall((DOCS / "weights.md").read_text())}
FUNCTIONS = {"abs": abs, "sqrt": math.sqrt, "sin": math.sin, "pi": math.pi}


def test_the_formulas_of_all_named_weights_are_on_the_page() -> None:
    assert set(FORMULAS) == set(NAMED) - {"identity"}


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize("labels", [(1, 2, 3, 4, 5), (0.5, 2, 3, 10)], ids=str)
def test_a_formula_of_the_page_is_that_of_the_code(name: str, labels: tuple[float, ...]) -> None:
    scaled, _, formula, _ = FORMULAS[name]
    python = re.sub(r"(?<=[\w)]) (?=[\w(])", " * ", formula).replace("^", "**")
    names = {**FUNCTIONS, "min": min(labels), "max": max(labels), "L": len(labels)}
    distance = np.zeros((len(labels), len(labels)))
    for (i, k), (j, other) in permutations(enumerate(labels), 2):
        distance[i, j] = eval(python, {**names, "k": k, "l": other, "r": abs(i - j)})
    distance = distance / distance.max() if scaled else distance
    assert NAMED[name](np.array(labels)) == pytest.approx(1 - distance)


@pytest.mark.parametrize("name", FORMULAS)
def test_an_example_of_a_formula_is_that_of_the_code(name: str) -> None:
    printed = [float(number) for number in FORMULAS[name][-1].split(", ")]
    assert NAMED[name](np.arange(1.0, 6.0))[0].round(3).tolist() == printed
