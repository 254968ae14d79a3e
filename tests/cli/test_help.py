"""The help of commands: the common options on one screen, and every option one flag away."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from iaa_jax.analyses import ANALYSES
from iaa_jax.cli.app import app
from iaa_jax.cli.help import ALL
from iaa_jax.cli.options import PANELS
from tests.program import ROOT

LINES, COLUMNS = 40, "80"


def command_of(name: str) -> Any:
    command = get_command(app)
    for word in name.split():
        command = command.commands[word]  # type: ignore[attr-defined]
    return command


COMMANDS = {name: command_of(name) for row in ANALYSES for name in row.commands}


def spelt(command: Any) -> set[str]:
    """The long names of a command's options."""
    names = {name for param in command.params for name in (*param.opts, *param.secondary_opts)}
    return {name for name in names if name.startswith("--")}


def shown(text: str) -> set[str]:
    """The options of which a help or a page has a row."""
    return {word.strip(",;.`│") for word in text.replace(",", " ").split()} & {
        name for command in COMMANDS.values() for name in spelt(command)
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_the_first_screen_is_one(iaa, name: str) -> None:
    done = iaa(*name.split(), "--help", COLUMNS=COLUMNS)
    lines = done.stdout.splitlines()
    assert done.exit_code == 0
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= int(COLUMNS)
    # and says how to see the rest
    assert lines[-1].endswith(f"iaa {name} {ALL}") == bool(
        COMMANDS[name].rare - {"files", "help_all"}
    )


@pytest.mark.parametrize("name", ["", "prodigy"])
def test_a_command_has_a_line_in_the_list(iaa, name: str) -> None:
    text = iaa(*name.split(), "--help", COLUMNS=COLUMNS).stdout
    _, _, panel = text.partition("─ Commands ─")
    rows = [line for line in panel.splitlines() if line.startswith("│")]
    assert len(rows) == len(command_of(name).commands)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_full_help_has_every_option(iaa, name: str) -> None:
    done = iaa(*name.split(), ALL, COLUMNS="200")
    assert done.exit_code == 0
    assert spelt(COMMANDS[name]) <= shown(done.stdout)


@pytest.mark.parametrize("name", ["agree", "label-sets", "plan", "sweep"])
def test_what_to_measure_begins_with_the_coefficient(iaa, name: str) -> None:
    _, _, panel = iaa(name, ALL).stdout.partition("What to measure")
    assert panel.partition("--")[2].startswith("coefficient")


@pytest.mark.parametrize("name", ["agree", "plan", "drift"])
def test_the_level_comes_before_weights_and_the_seed_last(iaa, name: str) -> None:
    text = iaa(name, ALL).stdout
    assert text.index("--level ") < text.index("--weights ")
    assert text.index("--replicates ") < text.index("--seed ") < text.index("Output")


def test_completion_and_messages_know_rare_options(iaa) -> None:
    completed = iaa(_IAA_COMPLETE="complete_bash", COMP_WORDS="iaa agree --enc", COMP_CWORD="2")
    assert completed.stdout.split() == ["--encoding"]
    assert "--encoding" in iaa("agree", "--encodin", "utf-8", "wide.csv").output


def test_help_reads_no_project_file(iaa, folder: Path) -> None:
    (folder / "iaa.toml").write_text("no such option = 1")
    for flag in ("--help", "-h", ALL):
        assert iaa("agree", "wide.csv", flag).exit_code == 0


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_of_commands_has_every_option(name: str) -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    _, _, section = page.partition(f"### `iaa {name}`\n")
    section = section.partition("\n## ")[0].partition("\n### ")[0]
    for heading in PANELS:
        if f"[{heading}](#{str(heading).lower().replace(' ', '-')}): all" in section:
            section += page.partition(f"\n### {heading}\n")[2].partition("\n#")[0]
    assert spelt(COMMANDS[name]) - {ALL} <= shown(section)
