"""The documentation as a site: its contents, what is checked of it, and text that stays text."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]


def tool(name: str) -> ModuleType:
    """A module of tools/, which are no package, by another name than one of Python's own."""
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        spec = importlib.util.spec_from_file_location(f"tools_{name}", ROOT / f"tools/{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(ROOT / "tools"))
    return module


def test_the_contents_have_every_page_with_a_line_for_models() -> None:
    site = tool("site")
    text = site.for_models(site.contents())
    pages = [page.relative_to(ROOT).as_posix() for page in (ROOT / "docs").glob("*.md")]
    missing = [page for page in pages if f"]({page}): " not in text]
    assert missing == ["docs/index.md"]
    assert text.startswith("# iaa_jax\n\n> Inter-annotator agreement")


def test_what_is_wrong_with_a_site_is_found(tmp_path: Path) -> None:
    checks = tool("site_checks")
    links = '<a href="b.html#here"></a><a href="b.html#there"></a><img src="c.svg">'
    (tmp_path / "a.html").write_text(f'<p id="one">{links}<a href="https://example.org">', "utf-8")
    (tmp_path / "b.html").write_text('<h2 id="here"></h2>', "utf-8")
    assert checks.found_in(tmp_path, {"one", "two"}) == [
        "no page has two",
        "a.html links to b.html#there, which is not there",
        "a.html links to c.svg, which is not there",
    ]
    (tmp_path / "b.html").write_text('<p id="here"><p id="there"><p id="two">', "utf-8")
    (tmp_path / "c.svg").write_text("", "utf-8")
    assert checks.found_in(tmp_path, {"one", "two"}) == []
    (tmp_path / "c.html").write_text("<td><script>alert(1)</script>", "utf-8")
    assert checks.found_in(tmp_path, set()) == ["c.html runs an example"]
    for loaded in ('<script async src="https://example.org/x.js">', "<img src=//example.org/x>"):
        (tmp_path / "c.html").write_text(loaded, "utf-8")
        assert "c.html loads something from elsewhere" in checks.found_in(tmp_path, set())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<script>alert(1)</script> & more", "&lt;script&gt;alert(1)&lt;/script&gt; &amp; more"),
        ("n_ia *all* [1](x) # | \\", r"n\_ia \*all\* \[1\](x) \# \| \\"),
        ("``a < b`` or `iaa_jax.gold`", "`a < b` or [`iaa_jax.gold`](gold.md)"),
        ("`<b>`, ``two\n   lines``", "`<b>`, `two lines`"),
    ],
)
def test_a_docstring_stays_text(text: str, expected: str) -> None:
    assert tool("markdown_text").marked(text, {"iaa_jax.gold": "gold.md"}) == expected
