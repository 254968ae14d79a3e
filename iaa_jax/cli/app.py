"""The program ``iaa``: its commands, and what the process sets up before one runs."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated

import typer

from iaa_jax import __version__
from iaa_jax.analyses import ANALYSES, function_of
from iaa_jax.cli.cache import keep_compiled
from iaa_jax.cli.exits import NOT_READ, UNUSABLE, complain, in_words
from iaa_jax.cli.interrupts import INTERRUPTED, leave, listen
from iaa_jax.cli.project import Program

_HELP = {"help_option_names": ["-h", "--help"]}

app = typer.Typer(
    name="iaa",
    cls=Program,
    help="Inter-annotator agreement, with intervals.",
    epilog="Start with: iaa demo",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings=_HELP,
)
groups: dict[str, typer.Typer] = {}
for row in ANALYSES:
    commands = import_module(f"iaa_jax.analyses.{row.folder}.command")
    for name in row.commands:
        first, _, second = name.partition(" ")
        if second and first not in groups:
            about = (import_module(f"iaa_jax.analyses.{row.folder}").__doc__ or "").strip()
            groups[first] = typer.Typer(help=about, no_args_is_help=True, context_settings=_HELP)
            app.add_typer(groups[first], name=first)
        group = groups[first] if second else app
        examples = "\n\n".join(("Examples:", *commands.EXAMPLES[name]))
        group.command(second or first, epilog=examples)(getattr(commands, function_of(name)))


def _show_version(show: bool) -> None:
    if show:
        typer.echo(f"iaa_jax {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    """Inter-annotator agreement, with intervals."""


def main() -> None:
    """Run the program; this process alone keeps compiled code between runs."""
    keep_compiled()
    for stream in (sys.stdout, sys.stderr):
        # a terminal that cannot show a character of the data gets its escape, not an error
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    listen()
    try:
        _run()
    except KeyboardInterrupt:
        leave(INTERRUPTED)
    except BrokenPipeError:
        leave(NOT_READ)
    except OSError as error:
        if "--debug" in sys.argv:
            raise
        complain(in_words(error, "standard output"))
        leave(UNUSABLE)


def _run() -> None:
    """Run the command, and write all that it printed."""
    try:
        app(prog_name="iaa")
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # which typer has made of it
            raise end.__context__ from None
        if isinstance(end.code, int) and end.code:
            leave(end.code)  # what went wrong was said, and is not to be said again
        if sys.stdout is not None:
            sys.stdout.flush()
        raise
