"""The program ``iaa``: its commands, and the set-up of the process before a command runs."""

from __future__ import annotations

import gc
import os
import sys
import traceback
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from typing import Annotated, Any, NoReturn, cast

import typer
from typer.main import get_command, get_group

from iaa_jax import __version__
from iaa_jax.analyses import ANALYSES, function_of
from iaa_jax.cli.cache import keep_compiled
from iaa_jax.cli.exits import NOT_READ, UNUSABLE, complain, in_words
from iaa_jax.cli.help import NAMES as HELP_NAMES, Command
from iaa_jax.cli.interrupts import INTERRUPTED, leave, listen
from iaa_jax.cli.printing import for_terminal
from iaa_jax.cli.project import Program
from iaa_jax.io.registry import GROUP

_FIRST = ("agree", "demo")
"""Commands that the help lists before ``report``."""

_FURTHER_WORDS = {
    "report": "dashboard html overview page summary",
    "--help": "commands help",
    "--version": "version",
}
"""Words that users may type, by the command or option that they mean; analyses list their own."""

_HELP = {"help_option_names": [*HELP_NAMES]}


def folders() -> dict[str, str]:
    """Return the package of each command, in the order of the help."""
    table = {name: f"iaa_jax.analyses.{row.folder}" for row in ANALYSES for name in row.commands}
    first = {name: table.pop(name) for name in _FIRST}
    return first | {"report": "iaa_jax.overview"} | table


def words() -> dict[str, str]:
    """Return words that are no commands, each with the command that users mean by it.

    Hyphens in the words are replaced by underscores.
    """
    table: dict[str, str] = {}
    for row in ANALYSES:
        for name in (*row.functions, *row.namespace) if row.commands else ():
            owner, _, own = name.rpartition(".")
            command = owner if owner in row.commands else row.commands[0]
            table.setdefault(own, command)
    listed = [_FURTHER_WORDS, *(row.asked_as for row in ANALYSES)]
    return table | {
        word.replace("-", "_"): command
        for asked_as in listed
        for command, words in asked_as.items()
        for word in words.split()
    }


class Commands(Mapping[str, Any]):
    """The commands by name; a command is built only when it is needed."""

    def __init__(self) -> None:
        names = (name.split()[0] for name in folders())
        self._made: dict[str, Any] = dict.fromkeys(names)

    def __getitem__(self, name: str) -> Any:
        if self._made[name] is None:
            self._made[name] = _command(name)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)


def _command(first: str) -> Any:
    packages = {name: folder for name, folder in folders().items() if name.split()[0] == first}
    is_group = first not in packages
    about = import_module(next(iter(packages.values()))).__doc__ if is_group else None
    app = typer.Typer(
        name=first,
        help=about,
        no_args_is_help=True,
        context_settings=_HELP,
        add_completion=False,
    )
    for name, folder in packages.items():
        commands = import_module(f"{folder}.command")
        function = getattr(commands, function_of(name))
        app.command(name.split()[-1], cls=Command, epilog=function.examples)(function)
    return get_group(app) if is_group else get_command(app)


class _Iaa(Program):
    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = cast("Any", Commands())

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in self.commands and not ctx.resilient_parsing:
            from iaa_jax.cli.near_misses import refuse

            refuse(args, [*self.commands], words())
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; an error about an option gets a hint.

        The hint names the commands that have an unknown option, or states that an option is given
        once for each value.
        """
        try:
            return super().invoke(ctx)
        except typer.Exit:
            raise
        except Exception as raised:
            error: Any = raised
            if hasattr(error, "possibilities"):
                from iaa_jax.cli.near_misses import having, one_at_a_time

                instead = one_at_a_time(error.option_name, error.ctx.command)
                error.message += having(error.option_name, self.commands) + instead
                error.possibilities = None if instead else error.possibilities
            elif getattr(getattr(error, "param", None), "multiple", False):
                from iaa_jax.cli.near_misses import repeatable

                error.message += repeatable(error.param.opts[0], error.message)
            raise


app = typer.Typer(
    name="iaa",
    cls=_Iaa,
    help="Inter-annotator agreement, with intervals.",
    epilog="Start with: iaa demo",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings=_HELP,
)


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
    """Run the program ``iaa``, and keep its compiled code for later runs."""
    _reserve_standard_streams()
    keep_compiled()
    # matrix products are small: threads that share a product mostly wait for each other
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # a notebook may have set a backend that is not installed here, and none is needed for files
    os.environ["MPLBACKEND"] = "agg"
    # a run creates many permanent objects (modules, facts on thousands of files) and few cycles:
    # with the default, garbage collection would take a tenth of the time of a report
    gc.set_threshold(100_000, 50, 100)
    _hide_dask()
    for stream in (sys.stdout, sys.stderr):
        # a character of the data that a terminal cannot show is escaped, and causes no error
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
            _leave_with_traceback(error)
        complain(in_words(error, "standard output"))
        leave(UNUSABLE)
    except Exception as error:  # only with --debug; the message may contain data
        _leave_with_traceback(error)


def _leave_with_traceback(error: Exception) -> NoReturn:
    sys.stderr.write(for_terminal("".join(traceback.format_exception(error))))
    leave(UNUSABLE)


def _reserve_standard_streams() -> None:
    """Open closed standard streams, so that no file gets a descriptor to which libraries write."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest free number


def _hide_dask() -> None:
    """Hide Dask from xarray, unless a plug-in is installed that reads files and may need Dask.

    If Dask is installed, xarray imports it to check whether arrays are Dask arrays. The program has
    no Dask arrays, and the import takes longer than all work on small data.
    """
    if "xarray" not in sys.modules and not entry_points(group=GROUP):
        sys.modules.setdefault("dask", None)  # type: ignore[arg-type]  # imports then fail


def _run() -> None:
    try:
        app(prog_name="iaa")
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # typer turned it into SystemExit
            raise end.__context__ from None
        if isinstance(end.code, int) and end.code:
            leave(end.code)  # the error was reported already
        if sys.stdout is not None:
            sys.stdout.flush()
        raise
