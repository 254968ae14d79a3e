"""Define ``iaa convert``, which writes tables, and ``iaa formats``, which lists formats."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from iaa_jax.cli import choices, options
from iaa_jax.cli.context import as_option
from iaa_jax.cli.exits import complain
from iaa_jax.cli.grouping import joined
from iaa_jax.cli.groups import Keywords, shared, takes
from iaa_jax.cli.options import COLUMNS, OUTPUT, RATINGS, WRITTEN, option
from iaa_jax.cli.printing import print_file
from iaa_jax.cli.run import Output, output_options, run
from iaa_jax.cli.targets import STREAM, is_standard

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from iaa_jax.cli.progress import LateProgress
    from iaa_jax.pages import Page
    from iaa_jax.wording import Note

_KEPT = (
    *("labels", "missing", "blank", "merge_labels", "merge_ids", "separator", "join", "exclude"),
    "include",
)


def _columns(
    columns: options.ColumnOptions, ratings: options.RatingOptions, files: options.Files
) -> tuple[list[str], Keywords]:
    choices.format_of(columns.format)
    return list(files), {**columns.keywords, **{name: getattr(ratings, name) for name in _KEPT}}


reading = joined(
    _columns,
    shared(options.ColumnOptions, COLUMNS),
    shared(options.RatingOptions, RATINGS, *_KEPT),
)


@takes(reading, common=("format", "question"))
def convert(
    asked: tuple[list[str], Keywords],
    output: Annotated[
        str,
        option(
            OUTPUT,
            WRITTEN,
            "Write the table to FILE: .csv, .tsv, .jsonl or .parquet; '-' for standard output "
            "(CSV, or '-.jsonl' and so on).",
            "--output",
            "-o",
            show_default=False,
            common=True,
        ),
    ] = STREAM,
    duplicates: Annotated[
        str,
        option(
            RATINGS,
            "NAME",
            f"If an annotator rated an item twice: {', '.join(choices.REPEATS)}.",
            common=True,
        ),
    ] = "keep",
    keep: Annotated[
        str | None, option(COLUMNS, "A,B", "Further columns to keep.", common=True)
    ] = None,
    debug: options.Debug = False,
) -> None:
    """Convert any format to a table with one row per rating or span.

    A table of labels has the columns item, annotator, label (a JSON list for a label set)
    and, for exports, status (answered, empty, skipped, missing); 'iaa agree' reads it. A
    table of spans has document, annotator, start, end, label, status and perhaps unit.
    An export may have a single annotator (a plain table needs two). Repeated ratings are
    kept by default.

    Examples
    --------
    iaa convert export.json --output ratings.csv
    iaa convert project.zip --question tone
    """
    files, keywords = asked
    choices.one_of(duplicates, choices.REPEATS, "--duplicates")
    columns = choices.listed(keep, "--keep")
    to_terminal = output == STREAM or is_standard(output)

    def work(progress: LateProgress) -> Page:
        from iaa_jax._files import write_whole
        from iaa_jax.analyses.files.page import written
        from iaa_jax.analyses.files.writing import ending_of, notes_on_texts, table_bytes
        from iaa_jax.io import read_long
        from iaa_jax.pages.decisions import check_decisions

        ending = ending_of(output)
        progress.step("Reading")
        table = read_long(
            files, **keywords, duplicates=duplicates, keep=columns, progress=progress.done
        )
        content, notes = table_bytes(table, ending), notes_on_texts(table, ending)
        if to_terminal:
            print_file(content)
            _say(table, notes)
        else:
            check_decisions(output, content=content)
            write_whole(Path(output), content)
        return written(table, output, notes)

    kind = _Silent if to_terminal else Output
    run(work, kind(others=(output,), debug=debug), files)


class _Silent(Output):
    """Output without a page, because standard output has the table itself."""

    @property
    def to_terminal(self) -> bool:
        """Whether the page is printed: never."""
        return False


def _say(table: pd.DataFrame, notes: Sequence[Note]) -> None:
    from iaa_jax.analyses.files.words import WORDS
    from iaa_jax.io.words import in_words
    from iaa_jax.wording import say

    texts = in_words(table.attrs["reading"], as_option)
    left_out = f"left out: {texts['skipped']}" if texts["skipped"] else ""
    for sentence in (left_out, *texts["notices"], *(say(note, WORDS, as_option) for note in notes)):
        if sentence:
            complain(sentence)


@takes(output_options)
def formats(output: Output) -> None:
    """List the formats that can be read, with an example of each.

    Examples
    --------
    iaa formats
    iaa formats --output formats.md
    """

    def work(_: LateProgress) -> Page:
        from iaa_jax.analyses.files.page import formats as study, page

        return page(study())

    run(work, output)
