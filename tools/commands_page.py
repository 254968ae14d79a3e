"""Make the page of commands: what each command answers, its options, and the shared options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import json_schema
from typer.main import get_command

from iaa_jax.analyses import ANALYSES, Analysis, function_of
from iaa_jax.cli.app import app
from iaa_jax.cli.help import HELP_ALL
from iaa_jax.cli.options import PANELS
from iaa_jax.measure.figures import FIGURES
from iaa_jax.measure.options.requirements import requirements_of
from iaa_jax.wording.figures import Figure

SHARED_BY = 5
"""Minimum number of commands that have an option for it to be listed as shared."""

OF_A_COEFFICIENT = "Figures of a coefficient"

INTRODUCTION = (
    "Written by `tools/generate.py` from the rows of `iaa_jax/analyses/__init__.py` and the "
    "commands themselves. `iaa COMMAND --help` shows the most used options of a command, "
    "`--help-all` all of them. A table here lists the options of one command; those that many "
    "commands have are [below](#shared-options). What `--json` writes is described for programs by "
    f"[a schema](schema/{json_schema.FILE}) (JSON Schema 2020-12, a definition for each command); "
    "`schema` in the JSON is its version."
)


def page(questions: dict[str, str], texts: dict[str, str]) -> str:
    """Return the page, with the question of each analysis and the text of each command."""
    parts = ["# Commands", INTRODUCTION]
    for row in ANALYSES:
        parts.append(f"## {questions[row.folder].rstrip('.')}")
        for command in row.commands:
            parts.append(f"### `iaa {command}`\n\n{texts[command]}")
            parts += _options_of(command)
        parts += _in_json(row.folder)
        functions = [f"`iaa.{name}`" for name in row.functions]
        functions += [f"`iaa.{row.folder}.{name}`" for name in row.namespace]
        if functions:
            parts.append(" ".join([f"In Python: {', '.join(functions)}.", *_not_for(row)]))
    parts.append("## Shared options")
    for panel, options in _shared().items():
        parts.append(f"### {panel}\n\n{_table(options)}")
    rows = map(_declared, FIGURES)
    table = "\n".join(["| key | what it is |", "| --- | --- |", *rows])
    parts += [f"## {OF_A_COEFFICIENT}", table]
    return "\n\n".join(parts) + "\n"


def _not_for(row: Analysis) -> Iterator[str]:
    """Yield sentences on the ratings that functions of an analysis declare not to take."""
    listed = [(f"iaa.{name}", name, module) for name, module in row.functions.items()]
    listed += [(f"iaa.{row.folder}.{name}", name, each) for name, each in row.namespace.items()]
    alike: dict[tuple[str, ...], list[str]] = {}
    for shown, name, module in listed:
        study = import_module(f"iaa_jax.analyses.{row.folder}.{module}")
        declared = requirements_of(getattr(study, function_of(name))).ratings
        alike.setdefault(tuple(each.kind for each in declared), []).append(f"`{shown}`")
    for kinds, functions in alike.items():
        if kinds:
            yield f"Not for {', '.join(kinds)}: {', '.join(functions)}."


def _in_json(folder: str) -> Iterator[str]:
    """Yield tables of figures by their keys in JSON, if an analysis declares them."""
    name = f"iaa_jax.analyses.{folder}.declared"
    if find_spec(name) is None:
        return
    declared = import_module(name)
    yield from _figures_of(declared.IN_JSON)
    for command, parts in getattr(declared, "IN_JSON_OF", {}).items():
        yield from _figures_of(parts, f" of `{command}`")


def _figures_of(parts: Mapping[str, tuple[Figure, ...]], command: str = "") -> Iterator[str]:
    """Yield a table for each part of a JSON record."""
    alike: dict[tuple[Figure, ...], list[str]] = {}
    for part, figures in parts.items():
        alike.setdefault(figures, []).append(part)
    for figures, names in alike.items():
        rows = [*_rows_of(figures)]
        named = " and ".join(f"`{part}`" for part in names)
        head = (
            f"Figures in JSON{command}, in each row of {named}; those with one value a row also in "
            "CSV:"
        )
        if names == [""]:
            head = f"Single figures in JSON{command}:"
        elif any(part.startswith(f"{names[0]}.") for part in parts):
            # besides its rows, a result has single figures
            head = f"Single figures in JSON{command}, in {named}:"
        yield "\n".join([head, "", "| key | what it is |", "| --- | --- |", *rows])


def _rows_of(figures: Sequence[Figure]) -> Iterator[str]:
    """Yield a row per figure; the figures of every coefficient share one row."""
    own_figures = [figure for figure in figures if figure not in FIGURES]
    without = [f"`{figure.name}`" for figure in FIGURES if figure not in figures]
    if len(without) < len(FIGURES) / 2:
        but = f", except {', '.join(without)}" if without else ""
        yield f"| those of [a coefficient](#{OF_A_COEFFICIENT.lower().replace(' ', '-')}){but} | |"
        figures = own_figures
    yield from map(_declared, figures)


def _declared(figure: Figure) -> str:
    keys = ", ".join(f"`{name}`" for name in figure.names)
    return f"| {keys} | {figure.meaning.replace('``', '`')} |"


def _options_of(name: str) -> Iterator[str]:
    """Yield the table of a command's own options, and a line on its shared ones."""
    options, shared = _commands()[name], _shared()
    rows = {_row(option) for several in shared.values() for option in several}
    if own_options := [option for option in options if _row(option) not in rows]:
        yield _table(own_options)
    has = {_row(option) for option in options}
    links = []
    for panel, several in shared.items():
        there = [option for option in several if _row(option) in has]
        names = ", ".join(_spelt(option) for option in there)
        if there:
            link = f"[{panel}](#{panel.lower().replace(' ', '-')})"
            links.append(f"{link}: {'all' if len(there) == len(several) else names}")
    if links:
        yield f"Shared: {'; '.join(links)}."


@cache
def _commands() -> dict[str, list[Any]]:
    """Return the options and arguments of every command, except files and help."""
    commands = {}
    for name in (name for row in ANALYSES for name in row.commands):
        command: Any = get_command(app)
        for word in name.split():
            command = command.commands[word]
        commands[name] = [
            param
            for param in command.params
            if param.name != HELP_ALL.name
            and (param.param_type_name == "option" or param.name not in command.rare)
        ]
    return commands


@cache
def _shared() -> dict[str, list[Any]]:
    """Return the options that many commands share, by panel, in the order of the first command."""
    every = [option for options in _commands().values() for option in options]
    times = Counter(map(_row, every))
    first: dict[str, Any] = {}
    for option in every:
        first.setdefault(_row(option), option)
    shared = {
        panel: [
            option
            for row, option in first.items()
            if times[row] >= SHARED_BY and option.rich_help_panel == panel
        ]
        for panel in PANELS
        if panel is not None
    }
    return {panel: options for panel, options in shared.items() if options}


def _table(options: Iterable[Any]) -> str:
    return "\n".join(
        ["| option | value | what it does |", "| --- | --- | --- |", *map(_row, options)]
    )


def _row(option: Any) -> str:
    text = (option.help or "").replace("\\[", "[").replace("|", "\\|").replace("*", "\\*")
    default = option.default
    if option.show_default and default is not None and default is not False:
        text += f" Default: {default}."
    is_option = option.param_type_name == "option"
    metavar = f"`{option.metavar}`" if option.metavar and is_option else ""
    return f"| {_spelt(option)} | {metavar} | {text} |"


def _spelt(option: Any) -> str:
    if option.param_type_name != "option":
        return f"`{option.metavar.strip('[]')}`"
    return ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
