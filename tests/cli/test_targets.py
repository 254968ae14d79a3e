"""No file is written twice or over the ratings, and where none can be is said before any work."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from iaa_jax.cli import groups

FAST = ("--interval", "none")


@pytest.fixture
def unworked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is read."""

    def too_late(*_: object, **__: object) -> None:
        pytest.fail("the files were read first")

    monkeypatch.setattr(groups.Reading, "ratings", too_late)


def refused(iaa: Any, *arguments: str) -> str:
    """What is said, once, where a command is wrong usage."""
    done = iaa("agree", *arguments)
    assert (done.exit_code, done.stdout) == (2, ""), done.output
    assert done.stderr.count("\n") == 1
    return str(done.stderr)


LINKS = {
    "a hard link": os.link,
    "a symbolic link": os.symlink,
}


@pytest.mark.usefixtures("unworked")
@pytest.mark.parametrize("link", LINKS.values(), ids=LINKS)
def test_links_to_one_file_are_one_file(iaa, folder: Path, link: Any) -> None:
    (folder / "out.json").write_text("old")
    link("out.json", "also.md")
    link("wide.csv", "ratings.json")
    said = refused(iaa, "wide.csv", "--json", "out.json", "--output", "also.md")
    assert "also.md and out.json are the same file" in said
    assert "ratings.json holds the ratings" in refused(iaa, "wide.csv", "--json", "ratings.json")
    assert (folder / "out.json").read_text() == "old"
    assert (folder / "wide.csv").read_text().startswith("item,")


SAME = {
    "figures and replicates": ("--json", "x", "--keep-replicates", "x"),
    "another spelling": ("--json", "x", "--keep-replicates", "./x"),
    "a page and figures": ("--output", "x.md", "--json", "x.md"),
    "two pages": ("--output", "x.md", "--output", "x.md"),
    "figures and a page on standard output": ("--json", "-", "--output", "-.csv"),
    "two pages on standard output": ("--output", "-.md", "--output", "-.csv"),
    "a folder and a file in it": ("--output", "./", "--keep-replicates", "labels.csv"),
}


@pytest.mark.usefixtures("unworked")
@pytest.mark.parametrize("outputs", SAME.values(), ids=SAME)
def test_two_outputs_are_two_files(iaa, folder: Path, outputs: tuple[str, ...]) -> None:
    (folder / "data").mkdir()
    (folder / "wide.csv").rename(folder / "data" / "wide.csv")
    said = refused(iaa, "data/wide.csv", *outputs)
    assert "the same file" in said or "written twice" in said or "another output" in said
    assert sorted(path.name for path in folder.iterdir()) == ["data"]


@pytest.mark.usefixtures("unworked")
def test_a_folder_of_tables_is_not_that_of_the_ratings(iaa, folder: Path) -> None:
    (folder / "wide.csv").rename(folder / "labels.csv")  # the name of a table
    assert "would hold the ratings (labels.csv)" in refused(iaa, "labels.csv", "--output", "./")


@pytest.mark.usefixtures("unworked")
@pytest.mark.parametrize("command", ["agree", "compare"])
def test_standard_input_is_read_once(iaa, command: str) -> None:
    done = iaa(command, "-", "-")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "iaa: standard input can be read only once\n"


def test_a_page_and_figures_in_one_redirected_file(program, folder: Path) -> None:
    done = program("agree", "wide.csv", *FAST, "--json", "/dev/stdout")
    assert done.returncode == 2
    assert b"standard output and /dev/stdout are the same file" in done.stderr


def test_tables_go_to_a_folder_that_is_there(iaa, folder: Path) -> None:
    (folder / "tables").mkdir()
    for _ in range(2):
        assert iaa("agree", "wide.csv", *FAST, "--output", "tables/").exit_code == 0
    assert (folder / "tables" / "coefficients.csv").is_file()


def test_a_second_run_may_replace_its_files(iaa, folder: Path) -> None:
    for _ in range(2):
        done = iaa("agree", "wide.csv", *FAST, "--json", "out.json", "--output", "out.md")
        assert done.exit_code == 0
    assert iaa("agree", "wide.csv", *FAST, "--json", os.devnull).exit_code == 0
