"""Build the documentation as a site: python tools/site.py FOLDER.

The pages are those in docs/ and benchmarks/ and the changelog, with their links in the repository,
a reference of the Python API from its docstrings, and a report of the demo. docs/index.md is the
table of contents. Zensical builds the site strictly. Then every link and anchor must work, every
public name must be in the reference, and nothing may be loaded from other addresses. Each page is
also available as Markdown, and llms.txt lists the pages.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

import site_checks  # noqa: E402

SAMPLE = "sample-report.html"
THEME = Path(__file__).parent / "theme"
"""Files that give the site its own look."""

SETTINGS = """\
site_name: iaa_jax
docs_dir: source
site_dir: site
use_directory_urls: false
theme:
  name: material
  font: false
  palette:
    - media: "(prefers-color-scheme: light)"
      scheme: default
    - media: "(prefers-color-scheme: dark)"
      scheme: slate
plugins:
  - search
  - offline
extra:
  polyfills:
    - theme/iframe-worker.js
extra_css:
  - theme/site.css
extra_javascript:
  - theme/site.js
markdown_extensions:
  - attr_list
  - def_list
  - tables
  - toc:
      permalink: true
nav:
"""

LISTED = re.compile(r"^- \[([^\]]+)\]\(([\w./-]+\.md)\): (.+)$", re.MULTILINE)


class Entry(NamedTuple):
    """A page of the contents, with its path in the site."""

    title: str
    path: str
    says: str


def contents() -> dict[str, list[Entry]]:
    """Return the headings of docs/index.md with their pages, and the API, studies and changelog."""
    text = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    listed = {}
    for part in text.split("\n## ")[1:]:
        heading, _, below = part.partition("\n")
        if entries := LISTED.findall(below):
            listed[heading] = [Entry(title, f"docs/{path}", says) for title, path, says in entries]
    studies = sorted((ROOT / "benchmarks").rglob("*.md"))
    listed["Studies"] = [_entry(page.relative_to(ROOT).as_posix()) for page in studies]
    listed["Studies"].append(Entry("Changelog", "CHANGELOG.md", "what changed, by version."))
    return listed


def _entry(path: str) -> Entry:
    """Return a page with its own title and first sentence."""
    title, _, text = (ROOT / path).read_text(encoding="utf-8").partition("\n")
    first, _, _ = " ".join(text.split("\n\n")[1].split()).partition(". ")
    return Entry(title.removeprefix("# "), path, f"{first.removesuffix('.')}.")


def assemble(folder: Path) -> tuple[dict[str, list[Entry]], set[str]]:
    """Arrange the pages as in the repository, with the settings for the build.

    Returns the contents, and the public names in the reference.
    """
    import api_pages

    source = folder / "source"
    shutil.rmtree(source, ignore_errors=True)
    for name in ("docs", "benchmarks"):
        for page in sorted((ROOT / name).rglob("*")):
            if page.suffix in (".md", ".svg", ".png") or page.parent.name == "schema":
                _copy(page, source / page.relative_to(ROOT))
    for path in (ROOT / "CHANGELOG.md", *(ROOT / "tests" / "reference").glob("*.json")):
        _copy(path, source / path.relative_to(ROOT))
    shutil.copytree(THEME, source / "theme")
    home = (ROOT / "docs" / "index.md").read_text(encoding="utf-8").replace("](", "](docs/")
    before, start, after = home.partition("## Start\n\n")
    look = f"- [A report of the demo]({SAMPLE}): look at a whole one.\n"
    (source / "index.md").write_text(before + start + look + after, encoding="utf-8")
    write_report(source / SAMPLE)
    listed = contents()
    reference = []
    names = {name: ", ".join(of_page) for name, (_, of_page) in api_pages.grouped().items()}
    for name, text in api_pages.pages().items():
        path = f"api/{name}.md"
        (source / path).parent.mkdir(exist_ok=True)
        (source / path).write_text(text, encoding="utf-8")
        heading = text.partition("\n")[0].removeprefix("# ")
        title = api_pages.short_title(name) if name in names else heading
        says = names.get(name, "all public names, or what many of them have in common")
        reference.append(Entry(title, path, f"{says}."))
    listed["Python"] = reference
    (folder / "mkdocs.yml").write_text(SETTINGS + "".join(_navigation(listed)), encoding="utf-8")
    return listed, {f"iaa_jax.{name}" for name in api_pages.public_names()}


def _copy(page: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(page, to)


def _navigation(listed: dict[str, list[Entry]]) -> Iterator[str]:
    yield "  - Home: index.md\n"
    for heading, entries in listed.items():
        yield f"  - {heading}:\n"
        yield from (f'    - "{entry.title}": {entry.path}\n' for entry in entries)


def write_report(file: Path) -> None:
    """Write a full report of the demo."""
    from importlib.resources import as_file, files

    import iaa_jax as iaa

    with as_file(files("iaa_jax.demo") / "pandalm.csv") as demo:
        people = ["annotator1", "annotator2", "annotator3"]
        ratings = iaa.read(demo, item="item", annotators=people)
        iaa.report(ratings, replicates=500).save(file)


def for_models(listed: dict[str, list[Entry]]) -> str:
    """Return llms.txt: the contents with a line per page, in the format of llmstxt.org."""
    about = re.search(r'^description = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.M)
    assert about is not None
    parts = [f"# iaa_jax\n\n> {about[1]}"]
    for heading, entries in listed.items():
        rows = [f"- [{entry.title}]({entry.path}): {entry.says}" for entry in entries]
        parts.append(f"## {heading}\n\n" + "\n".join(rows))
    return "\n\n".join(parts) + "\n"


def main() -> int:
    """Assemble the site, build it, and check the result."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    listed, names = assemble(folder)
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    done = subprocess.run(command, cwd=folder, check=False)
    if done.returncode:
        return done.returncode
    source, site = folder / "source", folder / "site"
    for page in source.rglob("*.md"):
        _copy(page, site / page.relative_to(source))
    (site / "llms.txt").write_text(for_models(listed), encoding="utf-8")
    faults = site_checks.found_in(site, names)
    for each in faults:
        print(f"tools/site.py: {each}")
    print(f"{len([*site.rglob('*.html')])} pages in {site}")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
