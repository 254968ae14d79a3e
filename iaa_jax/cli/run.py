"""What every command does with its work: watch it, and bring its page to the terminal and files."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from iaa_jax._errors import IaaError
from iaa_jax._files import write_whole
from iaa_jax.cli import interrupts, options
from iaa_jax.cli.context import as_option, chosen_options
from iaa_jax.cli.exits import complain, exits
from iaa_jax.cli.progress import LateProgress

if TYPE_CHECKING:
    from iaa_jax.pages import Page

STANDARD_OUTPUT = "-"


@dataclass(frozen=True)
class Output:
    """Where a page goes beside the terminal."""

    json: str | None = None
    files: tuple[str, ...] = ()
    debug: bool = False

    def also(self, file: str | None) -> Output:
        """With one file more."""
        return self if file is None else replace(self, files=(*self.files, file))

    @property
    def to_terminal(self) -> bool:
        """Whether nothing else goes to standard output."""
        return self.json != STANDARD_OUTPUT and not any(map(_is_standard, self.files))

    def check(self, sources: Sequence[str]) -> None:
        """Refuse what cannot be written, before the work is done for nothing."""
        from iaa_jax.pages.saving import check_ending

        for file in self.files:
            check_ending(file)
        targets = [self.json, *(file for file in self.files if not _is_standard(file))]
        for target in targets:
            check_target(target, sources)


def output_options(
    json: options.Json = None, output: options.Output = None, debug: options.Debug = False
) -> Output:
    """Where the page goes."""
    destination = Output(json, tuple(output or ()), debug)
    on_standard_output = [json == STANDARD_OUTPUT, *map(_is_standard, destination.files)]
    if sum(on_standard_output) > 1:
        message = "only one of --json and --output can go to standard output"
        raise typer.BadParameter(message)
    return destination


def run(work: Callable[[LateProgress], Page], output: Output, sources: Sequence[str] = ()) -> Page:
    """Do the work with a progress bar, write its page to files, and print it."""
    with exits(output.debug):
        output.check(sources)
        with LateProgress(console(stderr=True)) as progress:
            page = work(progress)
        interrupts.check()  # one that was swallowed on the way
        show(page, output)
    return page


def show(page: Page, output: Output) -> None:
    """Write a page to its files, and print it unless one of them is standard output."""
    from iaa_jax.pages.saving import save
    from iaa_jax.pages.terminal import print_page

    if output.json is not None:
        _write_json(page, output.json)
    for file in output.files:
        if _is_standard(file):
            _to_standard_output(page, file.removeprefix(STANDARD_OUTPUT))
        else:
            save(page, file, spelling=as_option)
            _say_what_is_left(page, file)
    if output.to_terminal:
        print_page(console(), page, as_option)


def _say_what_is_left(page: Page, file: str) -> None:
    """A table alone goes to a CSV file: where the others are to be had."""
    main, *others = [table.id for table in page.tables] or [""]
    if Path(file).suffix.lower() == ".csv" and others:
        complain(
            f"{file} holds the table {main!r}; name a folder, such as --output tables/, to have "
            f"{', '.join(others)} too"
        )


def _write_json(page: Page, target: str) -> None:
    from iaa_jax.pages.records import record
    from iaa_jax.pages.saving import as_json

    content = record(page.results, as_option, {"options": chosen_options()})
    if target != STANDARD_OUTPUT:
        write_whole(Path(target), as_json(content).encode("utf-8", errors="backslashreplace"))
        return
    try:
        as_json(content).encode(sys.stdout.encoding or "utf-8")
        sys.stdout.write(as_json(content))
    except UnicodeEncodeError:
        sys.stdout.write(as_json(content, ascii_only=True))
    sys.stdout.flush()


def _to_standard_output(page: Page, ending: str) -> None:
    from iaa_jax.pages.saving import content_of

    content = content_of(page, ending, spelling=as_option)
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


def _is_standard(file: str) -> bool:
    return file.startswith(f"{STANDARD_OUTPUT}.")


def console(*, stderr: bool = False) -> Console:
    """A console that prints names from the data as they stand: no markup, no highlighting."""
    return Console(stderr=stderr, markup=False, emoji=False, highlight=False)


def check_target(target: str | None, sources: Sequence[str] = ()) -> None:
    """Refuse a file that cannot or should not be written, before the work is done for nothing."""
    if target is None or target == STANDARD_OUTPUT:
        return
    path = Path(target)
    if any(path.resolve() == Path(source).resolve() for source in sources):
        message = f"{target} holds the ratings: name another file to write to"
        raise IaaError(message)
    if path.is_dir():
        message = f"{target} is a folder; name a file to write to"
        raise IaaError(message)
    if not path.parent.is_dir():
        message = f"cannot write {target}: there is no folder {path.parent}"
        raise IaaError(message)
    if not os.access(path.parent, os.W_OK):
        message = f"cannot write {target}: the folder {path.parent} is not writable"
        raise IaaError(message)
