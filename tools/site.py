"""Build the documentation as a site: python tools/site.py FOLDER.

The pages are those of docs/, benchmarks/ and the changelog, with the links that they have in the
repository, and a report of the demo to look at. Zensical builds them strictly: a dead link, or a
page that no heading of the contents leads to, is an error. Nothing is loaded from elsewhere.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SAMPLE = "sample-report.html"

LOADED = re.compile(
    r"""<(?:script|img|iframe)[^>]*\ssrc=["']?(https?:)?//|"""
    r"""<link[^>]*rel=["']?stylesheet[^>]*href=["']?(https?:)?//|@import\s+url\(["']?(https?:)?//"""
)

CONTENTS = {
    "Start": (
        "index.md",
        "questions.md",
        "how-to-choose.md",
        "from-export-to-gold.md",
        "report.md",
        "gallery.md",
    ),
    "Files and tools": (
        "files.md",
        "tools.md",
        "formats.md",
        "scale.md",
        "crowds.md",
        "prodigy.md",
    ),
    "Questions": (
        *("findings.md", "diagnosis.md", "compare.md", "drift.md", "watch.md", "plan.md"),
        *("variance.md", "gold.md", "judge.md", "panels.md", "missing.md", "project.md"),
    ),
    "Coefficients": (
        *("coefficients.md", "concepts.md", "intervals.md", "interval-methods.md"),
        *("zero.md", "scales.md"),
        *("contingency.md", "primary_secondary.md", "multi_label.md", "spans.md", "numbers.md"),
        *("further.md", "coming-from.md", "conformance.md"),
    ),
    "Reference": ("commands.md", "kernels.md", "accelerators.md", "architecture.md", "scope.md"),
}
"""The headings of the contents, and their pages."""


def assemble(folder: Path) -> None:
    """The pages side by side as they are in the repository, and how they are built."""
    source = folder / "source"
    shutil.rmtree(source, ignore_errors=True)
    for name in ("docs", "benchmarks"):
        for page in sorted((ROOT / name).rglob("*")):
            if page.suffix in (".md", ".svg", ".png"):
                to = source / page.relative_to(ROOT)
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(page, to)
    shutil.copyfile(ROOT / "CHANGELOG.md", source / "CHANGELOG.md")
    cases = "tests/reference/coefficients.json"
    (source / cases).parent.mkdir(parents=True)
    shutil.copyfile(ROOT / cases, source / cases)
    home = (ROOT / "docs" / "index.md").read_text(encoding="utf-8").replace("](", "](docs/")
    before, start, after = home.partition("## Start\n\n")
    look = f"- [A report of the demo]({SAMPLE}): look at a whole one.\n"
    (source / "index.md").write_text(before + start + look + after, encoding="utf-8")
    write_report(source / SAMPLE)
    (folder / "mkdocs.yml").write_text(_settings(), encoding="utf-8")


def _settings() -> str:
    listed = {page for pages in CONTENTS.values() for page in pages}
    missing = {page.name for page in (ROOT / "docs").glob("*.md")} - listed
    if missing:
        raise SystemExit(f"tools/site.py: no heading has {', '.join(sorted(missing))}")
    lines = [
        "site_name: iaa_jax",
        "docs_dir: source",
        "site_dir: site",
        "use_directory_urls: false",
        "theme:",
        "  name: material",
        "  font: false",
        "  palette:",
        '    - media: "(prefers-color-scheme: light)"',
        "      scheme: default",
        '    - media: "(prefers-color-scheme: dark)"',
        "      scheme: slate",
        "plugins:",
        "  - search",
        "markdown_extensions:",
        "  - tables",
        "  - toc:",
        "      permalink: true",
        "nav:",
        "  - Home: index.md",
    ]
    for heading, pages in CONTENTS.items():
        lines.append(f"  - {heading}:")
        lines += [f"    - docs/{page}" for page in pages if page != "index.md"]
    lines += ["  - Studies:"]
    lines += [
        f"    - {page.relative_to(ROOT)}" for page in sorted((ROOT / "benchmarks").rglob("*.md"))
    ]
    return "\n".join([*lines, "  - Changelog: CHANGELOG.md"]) + "\n"


def write_report(file: Path) -> None:
    """A whole report of the demo."""
    from importlib.resources import as_file, files

    import iaa_jax as iaa

    with as_file(files("iaa_jax.demo") / "pandalm.csv") as demo:
        people = ["annotator1", "annotator2", "annotator3"]
        ratings = iaa.read(demo, item="item", annotators=people)
        iaa.report(ratings, replicates=500).save(file)


def loaded_from_elsewhere(site: Path) -> list[str]:
    """Pages that a browser would load something for from another address."""
    return [
        str(page.relative_to(site))
        for page in sorted(site.rglob("*.html"))
        if LOADED.search(page.read_text(encoding="utf-8"))
    ]


def main() -> int:
    """Assemble, build, and look at what was built."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    assemble(folder)
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    done = subprocess.run(command, cwd=folder, check=False)
    if done.returncode:
        return done.returncode
    site = folder / "site"
    if found := loaded_from_elsewhere(site):
        print(f"tools/site.py: loaded from elsewhere: {', '.join(found)}")
        return 1
    print(f"{len([*site.rglob('*.html')])} pages in {site}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
