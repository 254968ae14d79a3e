"""Steps common to all commands: do the work with progress, print the page and write files."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import signature
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from rich.console import Console

import iaa_jax
from iaa_jax._errors import OptionError
from iaa_jax._files import naming, write_whole
from iaa_jax.cli import interrupts, options
from iaa_jax.cli.context import as_option, chosen_options, files_named, files_of_options
from iaa_jax.cli.exits import complain, exits
from iaa_jax.cli.grouping import joined
from iaa_jax.cli.groups import columns_of
from iaa_jax.cli.printing import check_open, for_terminal, print_file
from iaa_jax.cli.progress import LateProgress
from iaa_jax.cli.project import place_beside
from iaa_jax.cli.repeated import lines_to_keep, options_of_reading
from iaa_jax.cli.requirements import Requirement, check_decided, enforce, parse
from iaa_jax.cli.targets import STREAM, check_files, is_standard
from iaa_jax.measure import IntervalOptions
from iaa_jax.wording.formats import counted

if TYPE_CHECKING:
    import xarray as xr

    from iaa_jax.pages import Page
    from iaa_jax.wording import Note


class Readable(Protocol):
    """Something from which ratings can be read, such as `iaa_jax.cli.groups.InputOptions`."""

    @property
    def files(self) -> Sequence[str]:
        """The files, which no output may overwrite."""

    def ratings(
        self,
        progress: LateProgress,
        keep: Sequence[str],
        *,
        single_items: bool,
    ) -> xr.Dataset:
        """Return the ratings, with the columns ``keep``."""


@dataclass(frozen=True)
class Output:
    """The files that a command writes, and the requirements on its results."""

    json: str | None = None
    files: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    debug: bool = False
    requirements: tuple[Requirement, ...] = ()
    sheet: str | None = None

    def also(self, file: str | None) -> Output:
        """Return the output with one more file."""
        return self if file is None else replace(self, files=(*self.files, file))

    @property
    def to_terminal(self) -> bool:
        """Whether the page is printed: only if no other output goes to standard output."""
        return self.json != STREAM and not any(map(is_standard, self.files))

    def check(self, sources: Sequence[str]) -> None:
        """Refuse impossible outputs before any work is done."""
        figures = [STREAM] if self.to_terminal else []  # the page itself
        figures += [] if self.json is None else [self.json]
        sheets = [] if self.sheet is None else [self.sheet]
        check_files(sources, [*self.files, *sheets], [*figures, *self.others])


def output_options(
    json: options.Json = None, output: options.Output = None, debug: options.Debug = False
) -> Output:
    """Return the destinations of the page."""
    return Output(json, tuple(output or ()), debug=debug)


def with_requirements(output: Output, require: options.Require = None) -> Output:
    """Return the destinations of the page, and the requirements on results."""
    return replace(output, requirements=tuple(parse(text) for text in require or ()))


gated_output_options = joined(with_requirements, output_options)


def run(work: Callable[[LateProgress], Page], output: Output, sources: Sequence[str] = ()) -> None:
    """Do the work with a progress bar, write and print the page, and check the requirements."""
    with exits(output.debug):
        output.check(sources)
        with LateProgress(console(stderr=True)) as progress:
            page = work(progress)
        interrupts.check()  # raise an interrupt that was lost during the work
        check_decided(output.requirements, page.results)
        show(page, output)
    enforce(output.requirements, page.results)


@dataclass(frozen=True)
class Call:
    """A call of a public function with the ratings that a command reads.

    Attributes
    ----------
    name : str
        Name of the function, such as "drift" or "panels.what_if".
    options : mapping
        Its keyword arguments; groups of shared options are single arguments.
    part : str
        Name of the work in the progress bar.
    of_first : callable, optional
        Returns further options from the result of the first call.
    where_it_fits : bool
        Whether the call is skipped, rather than refused, for ratings that the function does not
        take.
    asked_by : str
        The options that request the call; if they are given, ratings that the function does not
        take are a usage error.
    """

    name: str
    options: Mapping[str, Any]
    part: str = "Measuring"
    of_first: Callable[[xr.Dataset], Mapping[str, Any]] | None = None
    where_it_fits: bool = False
    asked_by: str = ""

    def is_for(self, ratings: xr.Dataset) -> bool:
        """Tell whether the call is made with these ratings."""
        if not (self.where_it_fits or self.asked_by):
            return True  # the function itself refuses other ratings
        # imported here because the help must not load arrays
        from iaa_jax.measure.options.requirements import requirements_of

        function = attrgetter(self.name)(iaa_jax)
        reason = requirements_of(function).reason(ratings)
        if reason and self.asked_by:
            raise OptionError(f"{self.asked_by} cannot be used here: {reason}")
        return not (self.where_it_fits and reason)

    def result(self, ratings: xr.Dataset, before: Sequence[Any], progress: LateProgress) -> Any:
        """Return the function's result, given the results of earlier calls."""
        further = self.of_first(before[0]) if self.of_first is not None else {}
        progress.step(self.part)
        return call(self.name, progress, ratings, **self.options, **further)


def run_functions(
    reading: Readable,
    output: Output,
    *calls: Call,
    columns: Sequence[str] = (),
    named: Sequence[str | None] = (),
    along: str | None = None,
    single_items: bool = False,
    shown: Mapping[str, Any] | None = None,
    noted: Sequence[Note] = (),
) -> None:
    """Read ratings, call public functions with them, and show their results as one page.

    Parameters
    ----------
    reading : Readable
        The ratings to read.
    output : Output
        Destinations of the page.
    *calls : Call
        The calls, in order.
    columns : sequence of str
        Further columns to read.
    named : sequence of str, optional
        Further columns, along any axis; None is ignored.
    along : str, optional
        The axis that ``columns`` must describe.
    single_items : bool
        Whether the functions name items, which a scan of large files does not keep.
    shown : mapping, optional
        Further arguments of `iaa_jax.page`.
    noted : sequence of Note
        Notes to add to the first result.
    """

    def work(progress: LateProgress) -> Page:
        kept = [*columns, *(each for each in named if each is not None and each not in columns)]
        groups = [group for each in calls for group in each.options.values()]
        of_groups = [columns_of(each) for each in groups if isinstance(each, IntervalOptions)]
        kept += dict.fromkeys(chain(*of_groups))
        ratings = reading.ratings(progress, kept, single_items=single_items)
        if along is not None:
            from iaa_jax.measure.requests.studies import check_along

            check_along(ratings, along, columns)
        results: list[Any] = []
        for each in calls:
            if each.is_for(ratings):
                results.append(each.result(ratings, results, progress))
        if noted:
            from iaa_jax.measure.results import with_notes

            results[0] = with_notes(results[0], noted)
        page: Page = iaa_jax.page(*results, **(shown or {}))
        return page

    run(work, output, reading.files)


def page_of(
    name: str,
    progress: LateProgress,
    *arguments: object,
    shown: Mapping[str, Any] | None = None,
    **options: Any,
) -> Page:
    """Return the page of a public function's result; the function is loaded only now."""
    result = call(name, progress, *arguments, **options)
    page: Page = iaa_jax.page(result, **(shown or {}))
    return page


def call(name: str, progress: LateProgress, *arguments: object, **options: Any) -> Any:
    """Return a public function's result, and show its progress if the function reports it."""
    function = attrgetter(name)(iaa_jax)
    if "progress" in signature(function).parameters:
        options["progress"] = progress
    return function(*arguments, **options)


def show(page: Page, output: Output) -> None:
    """Write a page to its files, and print it unless another output goes to standard output."""
    from iaa_jax.pages.item_sheet import SHEET
    from iaa_jax.pages.saving import save
    from iaa_jax.pages.terminal import print_page

    page = page.repeating(options_of_reading)
    if output.json not in (None, STREAM):
        _write_json(page, output.json)
    for file in output.files:
        if not is_standard(file):
            save(page, file, spelling=as_option)
    if output.sheet is not None:
        save(page, output.sheet, SHEET, spelling=as_option)
        _say_of_sheet(page, output.sheet)
    with naming("standard output"):
        if output.json == STREAM:
            _print_json(page)
        for file in filter(is_standard, output.files):
            _print_as(page, file.removeprefix(STREAM))
        if output.to_terminal:
            print_page(console(), _with_lines_to_keep(page.brief), as_option)
    for file in output.files:
        _say_of_tables(page, file)


def _with_lines_to_keep(page: Page) -> Page:
    from iaa_jax.pages import Remarks
    from iaa_jax.wording import Note

    file = place_beside(files_named())
    if file is None or os.path.lexists(file) or not (lines := lines_to_keep()):
        return page
    kept = Remarks([Note("page_kept", {"file": file.name, "lines": lines})])
    return replace(page, blocks=[*page.blocks, kept])


def _say_of_sheet(page: Page, file: str) -> None:
    from iaa_jax.pages.csv import table_of
    from iaa_jax.pages.item_sheet import SHEET

    sheet, table = table_of(page, SHEET), page.tables[0]
    other_rows = table.rows - sheet.rows
    others = (
        f"; the other {other_rows:,} are not in dispute: --all-rows writes them, too"
        if other_rows
        else ""
    )
    complain(f"{file} has {sheet.rows:,} of {counted(table.rows, table.id[:-1])}{others}")


def _say_of_tables(page: Page, file: str) -> None:
    from iaa_jax.pages.csv import guarded_cells
    from iaa_jax.pages.saving import is_folder

    is_csv = file.lower().endswith(".csv")
    tables = page.tables[: None if is_folder(file) else 1 if is_csv else 0]
    others = [table.id for table in page.tables[1:]]
    if is_csv and others and not is_standard(file):
        complain(
            f"{file} contains only the table {tables[0].id!r}; name a folder, such as --output "
            f"tables/, to write {', '.join(others)}, too"
        )
    if cells := sum(map(guarded_cells, tables)):
        complain(
            f"{counted(cells, 'text')} in {file} got an apostrophe, which keeps spreadsheets from "
            "running texts that begin like a formula; --json has all texts unchanged"
        )


def _record(page: Page) -> dict[str, object]:
    from iaa_jax.pages.records import record_of

    return record_of(page, as_option, {"options": chosen_options()})


def _write_json(page: Page, file: str) -> None:
    from iaa_jax.pages.decisions import check_decisions
    from iaa_jax.pages.saving import as_json

    content = as_json(_record(page)).encode("utf-8", errors="backslashreplace")
    check_decisions(file, files_of_options(), content)
    write_whole(Path(file), content)


def _print_json(page: Page) -> None:
    from iaa_jax.pages.saving import as_json

    check_open()
    text = as_json(_record(page))
    shown = for_terminal(text) if sys.stdout.isatty() else text
    try:
        shown.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        shown = ""
    if shown != text:
        text = as_json(_record(page), ascii_only=True)
    sys.stdout.write(text)
    sys.stdout.flush()


def _print_as(page: Page, ending: str) -> None:
    from iaa_jax.pages.saving import content_of

    print_file(content_of(page, ending, spelling=as_option))


def console(*, stderr: bool = False) -> Console:
    """Return a console that prints data literally: no markup, no highlighting."""
    return Console(stderr=stderr, markup=False, emoji=False, highlight=False)
