"""Closed streams, full disks and devices that are not there: one line, or nothing at all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from iaa_jax import _files
from tests.program import environment
from tests.taken import one_of

FULL = Path("/dev/full")
ONE = ("--coefficients", "fleiss_kappa", "--interval", "none")


OF_NO_DATA = [("coefficients",), ("agree", "--help")]


def test_who_stops_reading_ends_the_program_as_other_tools(folder) -> None:
    for arguments in OF_NO_DATA:
        process = subprocess.Popen(
            [sys.executable, "-m", "iaa_jax", *arguments],
            env=environment(folder),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()  # before anything is written
        assert (process.stderr.read(), process.wait(60)) == (b"", 141), arguments
        process.stderr.close()


def in_shell(folder: Path, line: str) -> tuple[int, bytes]:
    """A command with what a shell does before it, and what it says."""
    done = subprocess.run(
        line.replace("iaa ", f"{sys.executable} -m iaa_jax ", 1),
        shell=True,
        env=environment(folder),
        capture_output=True,
        check=False,
    )
    return done.returncode, done.stderr


def test_closed_streams_and_files_that_may_not_grow_are_said(folder: Path) -> None:
    closed = "standard output is closed: name a file to write to"
    large = "a temporary file: IO_EFBIG"
    # no module is to be cached, as its file would be cut
    limited = "trap '' XFSZ; export PYTHONDONTWRITEBYTECODE=1 IAA_JAX_CACHE_DIR=; ulimit -f 1;"
    for line, said in (
        ("iaa agree - <&-", "standard input is closed: name a file"),
        ("iaa convert wide.csv >&-", closed),
        ("iaa coefficients --json - >&-", closed),
        ("iaa coefficients >&-", ""),  # nobody wants to see the page
        (f"{limited} iaa coefficients --output x.xlsx", large),
        (f"{limited} iaa coefficients --output x/", "File too large"),
    ):
        code, shown = in_shell(folder, line)
        assert (code, said.encode() in shown) == (1 if said else 0, True), (line, shown)
        assert b"unexpected" not in shown, (line, shown)
    assert {*os.listdir(folder)} <= {"wide.csv", "cache", "home"}


@pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")
def test_a_full_disk_under_standard_output(folder: Path) -> None:
    for arguments in OF_NO_DATA:
        with FULL.open("w") as full:
            done = subprocess.run(
                [sys.executable, "-m", "iaa_jax", *arguments],
                env=environment(folder),
                stdout=full,
                stderr=subprocess.PIPE,
                check=False,
            )
        said = (1, b"iaa: standard output: No space left on device\n")
        assert (done.returncode, done.stderr) == said, arguments


def test_a_full_disk_under_a_file_is_said_with_its_name(iaa, folder, monkeypatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(_files.os, "chmod", full)
    done = iaa("agree", "wide.csv", *ONE, "--json", "out.json")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == "iaa: out.json: No space left on device\n"
    assert [path.name for path in folder.iterdir()] == ["wide.csv"]


def test_a_full_disk_under_the_cache_is_no_news(folder: Path) -> None:
    options = " ".join((*ONE[:2], "--replicates", "64"))
    done = subprocess.run(
        f"ulimit -f 0; exec {sys.executable} -m iaa_jax agree wide.csv {options}",
        shell=True,
        cwd=folder,
        # compiled modules would be cut, too
        env=environment(folder) | {"PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Fleiss' kappa" in done.stdout


COMPILED = (
    ("agree", "wide.csv", "--coefficients", "fleiss_kappa", "--interval", "abc"),
    ("gold", "wide.csv", "--method", "dawid_skene", "--replicates", "40"),
)


def test_a_device_that_is_not_there(program) -> None:
    for platform, command in zip(("nonsense", "cuda"), COMPILED, strict=True):
        done = program(*command, JAX_PLATFORMS=platform)
        said = (
            f"iaa: JAX_PLATFORMS tells JAX to use '{platform}', but JAX finds no such device: "
            "unset it, or install JAX for that device\n"
        )
        assert (done.returncode, done.stderr.decode()) == (1, said)


def test_what_others_set_for_jax_and_matplotlib_changes_nothing(program, ran, folder: Path) -> None:
    for command in COMPILED:
        guarded = program(*command, JAX_TRANSFER_GUARD="disallow")
        assert guarded.returncode == 0, guarded.stderr
        assert guarded.stdout.decode() == ran(*command).stdout
    inline = "module://matplotlib_inline.backend_that_is_not_here"
    done = program("agree", "wide.csv", "--output", "page.html", MPLBACKEND=inline)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "<svg" in (folder / "page.html").read_text()


def test_a_link_that_leads_nowhere(iaa, folder: Path) -> None:
    for target in ("loop.csv", "gone.csv"):
        (folder / "loop.csv").symlink_to(target)
        done = iaa("agree", "loop.csv")
        assert done.exit_code == 1
        assert done.stderr == "iaa: loop.csv: the link leads to no file\n"
        (folder / "loop.csv").unlink()


@pytest.mark.parametrize("table", one_of(2, ["long", "wide"]))
def test_a_pipe_answers_several_questions(ran, folder: Path, table: str) -> None:
    header = {"long": "item,annotator,a,b", "wide": "item,a_1,a_2,b_1,b_2"}[table]
    rows = {
        "long": [f"{k},{n},{k % 2},{(k + n) % 3}" for k in range(6) for n in (1, 2)],
        "wide": [f"{k},{k % 2},{k % 2},{(k + 1) % 3},{(k + 2) % 3}" for k in range(6)],
    }
    content = "\n".join([header, *rows[table]]) + "\n"
    (folder / "r.csv").write_text(content)

    asked = ("--questions", "a,b", "--coefficients", "percent_agreement", "--interval", "none")
    done = subprocess.run(
        [sys.executable, "-m", "iaa_jax", "agree", "-", *asked, "--json", "-"],
        env=environment(folder),
        cwd=folder,
        input=content.encode(),
        capture_output=True,
        check=True,
    )
    piped = json.loads(done.stdout)
    assert piped["data"]["files"] == ["standard input"]
    of_file = json.loads(ran("agree", "r.csv", *asked, "--json", "-").stdout)
    assert piped["coefficients"] == of_file["coefficients"]
    figures = [question["estimate"]["percent_agreement"] for question in piped["coefficients"]]
    assert figures == [1, 0]
