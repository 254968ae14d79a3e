"""The project file ``iaa.toml``: columns and options for all data in its folder.

Its options precede the arguments of the command line, as if typed there. The file comes with the
data, perhaps from somebody else. Therefore its size is limited, and options that could write a
file, read a file outside its folder, or use much memory or time are accepted only from the command
line.
"""

from __future__ import annotations

import csv
import io
import os
import shlex
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from iaa_jax._errors import brief, suggestion
from iaa_jax._files import PROJECT
from iaa_jax.cli.exits import complain, in_words
from iaa_jax.cli.help import ALL, NAMES
from iaa_jax.cli.options import FileRead, FileWritten, Guard
from iaa_jax.cli.repeated import among
from iaa_jax.cli.targets import STREAM
from iaa_jax.measure.options.declared import Whole
from iaa_jax.wording.formats import name as printable

_ABOUT_HELP = {*NAMES, ALL}
_NOT_IN_FILES = {*_ABOUT_HELP, "--debug"}
_MOST = 64_000
"""Maximum number of bytes of a project file."""
_MOST_DRAWS = 20_000
"""Maximum value that the file may set for options such as replicates: ten times the default."""
_OF_DATA = {"seed", "population", "min_common", "min_items", "header_line", "top"}
"""Options with whole numbers that may be large, because they cost no time or memory."""
_DOTS = 200
"""Maximum number of dots in a line, because a name with very many parts takes minutes to parse."""


class Program(TyperGroup):
    """A program whose commands also take options from the project file."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the command line, with the options of the project file."""
        with _printable_errors():
            args, unasked = with_project(self, args)
            ctx.meta[PROJECT] = unasked
            return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; its page may mention the program's other commands."""
        with among(self.commands, ctx.meta[PROJECT]), _printable_errors():
            return super().invoke(ctx)


@contextmanager
def _printable_errors() -> Iterator[None]:
    """Escape control characters in usage errors: values of a project file may contain them."""
    try:
        yield
    except Exception as error:
        message = getattr(error, "message", None)
        if hasattr(error, "format_message") and isinstance(message, str):
            vars(error)["message"] = "\n".join(map(printable, message.split("\n")))
        raise


def with_project(program: Any, args: Sequence[str]) -> tuple[list[str], set[str]]:
    """Return the arguments, with the project file's options before those of the command line.

    Also return the names of the options from the file that apply to every command.

    The file is in the folder of the first file that is read. Options above its first table apply to
    every command that has them. Options in a table such as ``[agree]`` apply only to that command;
    the table is named ``["iaa labels"]`` if an option has the name of the command. The command line
    overrides the file, and a line on standard error reports what was taken from it.
    """
    names, command = _command(program, args)
    given = list(args[len(names) :])
    if command is None or not _ABOUT_HELP.isdisjoint(given):
        return list(args), set()
    options = _options(command)
    typed, files = _typed(options, given)
    path = _beside(files)
    if path is None:
        return list(args), set()
    everywhere, of_command = _asked(path, " ".join(names), _commands(program))
    settings = {
        name: value
        for name, value in (everywhere | of_command).items()
        if name in options and options[name].name not in typed
    }
    ignored = [
        name for name, value in settings.items() if not _counts(path.parent, value, options[name])
    ]
    if ignored:
        complain(
            f"{path} comes with the data, so it may not set "
            f"{', '.join(f'--{name}' for name in ignored)}"
            ": ignored; give it on the command line if you mean it"
        )
    settings = {name: value for name, value in settings.items() if name not in ignored}
    parts = [
        part
        for name, value in settings.items()
        for part in _as_typed(path, name, value, options[name])
    ]
    if parts:
        complain(f"from {path}: {shlex.join(parts)}")
    unasked = {str(options[name].name) for name in settings if name not in of_command}
    return [*names, *parts, *given], unasked


def _counts(folder: Path, value: object, option: Any) -> bool:
    """Tell whether a project file may set an option to this value.

    It may not write files, read files outside its folder, or use much memory or time.
    """
    if isinstance(option.metavar, FileWritten | Guard):
        return False
    if option.metavar == Whole.metavar and option.name not in _OF_DATA:
        return not _number(value) > _MOST_DRAWS
    if not isinstance(option.metavar, FileRead):
        return True
    if not isinstance(value, str):
        return False
    try:
        target = (folder / value).resolve()
        inside = target.is_relative_to(folder.resolve()) and value != STREAM
        files_inside = (Path(root, each) for root, _, names in os.walk(target) for each in names)
        inside &= all(each.resolve().is_relative_to(target) for each in files_inside)
        return inside and (target.is_file() or target.is_dir() or not target.exists())
    except (OSError, ValueError, RuntimeError):  # an impossible file name, or links in a circle
        return False


def _number(value: object) -> int:
    try:
        return int(str(value))
    except ValueError:  # the option itself refuses it
        return 0


def _command(program: Any, args: Sequence[str]) -> tuple[list[str], Any]:
    """Return the words that name the command, and the command; [] and None if it is unknown."""
    names: list[str] = []
    while hasattr(program, "commands"):
        name = args[len(names)] if len(names) < len(args) else ""
        if name not in program.commands:
            return [], None
        names.append(name)
        program = program.commands[name]
    return names, program


def _options(command: Any) -> dict[str, Any]:
    return {
        spelt.removeprefix("--"): option
        for option in command.params
        for spelt in option.opts
        if spelt.startswith("--") and spelt not in _NOT_IN_FILES
    }


def _commands(group: Any, names: tuple[str, ...] = ()) -> dict[str, list[str]]:
    if not hasattr(group, "commands"):
        return {" ".join(names): list(_options(group))}
    options_of: dict[str, list[str]] = {}
    for name, command in group.commands.items():
        options_of |= _commands(command, (*names, name))
    return options_of


def _typed(options: dict[str, Any], args: Sequence[str]) -> tuple[set[str], list[str]]:
    spelt = {name: option for option in options.values() for name in _spellings(option)}
    typed, files, rest = set(), [], iter(args)
    for arg in rest:
        name, equals, _ = arg.partition("=")
        if name in spelt:
            typed.add(str(spelt[name].name))
            if not equals and not spelt[name].is_flag:
                next(rest, None)
        elif arg == "-" or not arg.startswith("-"):
            files.append(arg)
    return typed, files


def _spellings(option: Any) -> list[str]:
    return [*option.opts, *option.secondary_opts]


def _beside(files: Sequence[str]) -> Path | None:
    """Return the project file beside the first of the files, or in the first if it is a folder.

    The result is None if there is no project file, or if it is a link out of its folder.
    """
    path = place_beside(files)
    if path is None or not os.path.isfile(path):
        return None
    if not path.resolve().is_relative_to(path.parent.resolve()):
        complain(f"{path} is a link that leads out of its folder: ignored")
        return None
    return path


def place_beside(files: Sequence[str]) -> Path | None:
    """Return the path of these files' project file, even if there is none; None for a stream."""
    if not files or files[0] == STREAM:
        return None
    first = Path(files[0])
    return (first if os.path.isdir(first) else first.parent) / PROJECT


def _asked(
    path: Path, running: str, commands: dict[str, list[str]]
) -> tuple[dict[str, Any], dict[str, Any]]:
    content = _content(path)
    everywhere = {option for names in commands.values() for option in names}
    for_all: dict[str, Any] = {}
    of_command: dict[str, Any] = {}
    for key, value in content.items():
        if not isinstance(value, dict):
            for_all[_known(path, key, everywhere, "an option")] = value
            continue
        command = _known(path, key.removeprefix("iaa "), commands, "a command")
        names = {
            _known(path, name, commands[command], f"an option of {command}"): name for name in value
        }
        of_command |= {known: value[name] for known, name in names.items() if command == running}
    return for_all, of_command


def _content(path: Path) -> dict[str, Any]:
    """Return the content of the file; refuse a file that is too large to be written by hand."""
    try:
        with path.open("rb") as file:
            data = file.read(_MOST + 1)
    except OSError as error:
        _refuse(in_words(error))
    if len(data) > _MOST:
        _refuse(f"{path} is larger than {_MOST // 1000} kB, too much for a file of options")
    if any(line.count(b".") > _DOTS for line in data.splitlines()):
        _refuse(f"{path} has a line with more than {_DOTS} dots: break long lists into lines")
    try:
        return tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError, MemoryError) as error:  # ValueError: also long numbers
        _refuse(f"{path} is not valid TOML: {str(error) or 'it is too deep'}")


def _known(path: Path, key: str, known: Iterable[str], noun: str) -> str:
    name = key.replace("_", "-")
    if name not in known:
        _refuse(f"{path}: {key!r} is not {noun}{suggestion(name, known)}")
    return name


def _as_typed(path: Path, name: str, value: object, option: Any) -> Iterator[str]:
    """Yield the arguments that set an option.

    A list gives one argument per element if the option can be repeated, and otherwise a single
    argument with commas.
    """
    values = value if isinstance(value, list) and option.multiple else [value]
    for each in values:
        if option.is_flag != isinstance(each, bool) or not _is_plain(each):
            expected = "true or false" if option.is_flag else "a text, a number or a list"
            _refuse(f"{path}: {name} must be {expected}, not {_brief(each)}")
        if each is True:
            yield f"--{name}"
        elif each is False:
            yield from option.secondary_opts[:1]
        elif isinstance(option.metavar, FileRead):
            yield f"--{name}={path.parent / str(each)}"
        else:
            yield f"--{name}={_joined(each)}"


def _is_plain(value: object) -> bool:
    """Tell whether a value could be typed; a whole number must fit in 64 bits, as TOML requires."""
    if isinstance(value, list):
        return all(not isinstance(each, list) and _is_plain(each) for each in value)
    return not isinstance(value, dict) and not (isinstance(value, int) and abs(value) >> 63)


def _brief(value: object) -> str:
    if not _is_plain(value):
        return "a number this large" if isinstance(value, int) else "nested parts"
    return str(value).lower() if isinstance(value, bool | int | float) else brief(value)


def _joined(value: object) -> str:
    if not isinstance(value, list):
        return str(value)
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(value)
    return text.getvalue()


def _refuse(message: str) -> NoReturn:
    raise typer.BadParameter(message)
