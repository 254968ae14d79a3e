"""The program as a whole: what it loads, how it ends, what it prints where."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path

import pytest

from iaa_jax import __version__
from iaa_jax.cli import app
from tests.program import WIDE, environment, run_in


def test_without_a_command_the_help_is_shown(iaa) -> None:
    done = iaa()
    assert done.exit_code == 2
    assert "agree" in done.output


def test_version(iaa) -> None:
    done = iaa("--version")
    assert (done.exit_code, done.stdout) == (0, f"iaa_jax {__version__}\n")


def test_the_installed_program_is_this_one() -> None:
    (entry,) = (
        entry
        for entry in metadata.distribution("iaa_jax").entry_points
        if entry.group == "console_scripts"
    )
    assert entry.name == "iaa"
    assert entry.load() is app.main


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory):
    """A folder, and how the program ended that has measured there."""
    folder = tmp_path_factory.mktemp("reported")
    (folder / "wide.csv").write_text(WIDE)
    return folder, run_in(folder, "agree", "wide.csv", "--replicates", "64")


def test_the_program_prints_a_report_without_escape_codes_in_80_columns(reported) -> None:
    _, done = reported
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    assert b"\x1b" not in done.stdout
    lines = done.stdout.decode("utf-8").splitlines()
    assert max(map(len, lines)) <= 80
    assert any(line.startswith("Krippendorff's alpha") for line in lines)
    assert all(line == line.rstrip() for line in lines)


LISTENING = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
"""A process in the background of a script inherits that interrupts are ignored."""
PROGRAM = "from iaa_jax.cli.app import main; main()"


def test_an_interrupt_ends_the_program_with_130(folder: Path) -> None:
    asked = ("--coefficients", "fleiss_kappa", "--json", "out.json", "--replicates", "10000000")
    process = subprocess.Popen(
        [sys.executable, "-c", f"{LISTENING}{PROGRAM}", "agree", "wide.csv", *asked],
        cwd=folder,
        env=environment(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    compiled = folder / "cache"
    try:
        while not (compiled.is_dir() and any(compiled.iterdir())):  # it has begun to measure
            assert process.poll() is None
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    # JAX may say before it that it dropped an interrupt in a callback
    assert stdout == b""
    assert stderr.endswith(b"iaa: interrupted\n")
    assert not list(folder.glob("*out.json*"))


def test_an_interrupt_that_is_lost_ends_the_program_all_the_same() -> None:
    swallowing = """
import time
from iaa_jax.cli import interrupts
interrupts.PATIENCE = 0.1
interrupts.listen()
while True:
    try:
        print("ready", flush=True)
        time.sleep(60)
    except KeyboardInterrupt:
        pass
"""
    process = subprocess.Popen(
        [sys.executable, "-c", f"{LISTENING}{swallowing}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=20)
    finally:
        process.kill()
    assert (process.returncode, stderr) == (130, b"iaa: interrupted\n")


def test_a_terminal_without_the_characters_gets_escapes(program, folder: Path) -> None:
    (folder / "accents.csv").write_text(
        "item,ann,bob\n1,schön,schön\n2,naïf,schön\n3,naïf,naïf\n", encoding="utf-8"
    )
    done = program("agree", "accents.csv", "--interval", "none", PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert rb"sch\xf6n" in done.stdout


def test_the_program_keeps_compiled_code(reported) -> None:
    folder, _ = reported
    done = run_in(folder, "agree", "wide.csv", "--interval", "abc")
    assert done.returncode == 0
    assert any((folder / "cache").iterdir())


@pytest.mark.slow
def test_a_cache_that_cannot_be_written_changes_nothing(program, folder: Path) -> None:
    (folder / "file").write_text("")
    one = ("--coefficients", "fleiss_kappa", "--interval", "abc")
    done = program("agree", "wide.csv", *one, IAA_JAX_CACHE_DIR="file/cache")
    assert done.returncode == 0
    assert done.stderr == b""


def test_every_help_has_two_examples_that_the_command_could_read() -> None:
    import shlex
    from importlib import import_module

    from typer.main import get_command

    from iaa_jax.analyses import ANALYSES, function_of

    program = get_command(app.app)
    for row in filter(lambda row: row.commands, ANALYSES):
        commands = import_module(f"iaa_jax.analyses.{row.folder}.command")
        for name in row.commands:
            lines = getattr(commands, function_of(name)).examples.splitlines()
            assert len(lines) == 2
            command = program
            for part in name.split():
                command = command.commands[part]  # type: ignore[attr-defined]
            known = {spelt for option in command.params for spelt in option.opts}
            for line in lines:
                words = shlex.split(line)
                assert " ".join(words[1:]).startswith(name)
                assert {word for word in words if word.startswith("--")} <= known
