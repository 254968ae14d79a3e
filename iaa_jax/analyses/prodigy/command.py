"""Define the commands ``iaa prodigy binary``, ``doc`` and ``span``, in Prodigy's terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from iaa_jax.cli import choices, options
from iaa_jax.cli.grouping import joined
from iaa_jax.cli.groups import interval_options, shared, takes
from iaa_jax.cli.options import COLUMNS, MEASURE, RATINGS, option
from iaa_jax.cli.run import Call, Output, output_options, run_functions
from iaa_jax.measure import IntervalOptions

if TYPE_CHECKING:
    import xarray as xr

    from iaa_jax.cli.progress import LateProgress

_MODES = ("multiclass", "multilabel")

Mode = Annotated[
    str,
    typer.Argument(
        metavar="MODE",
        help="multiclass: one option per task; multilabel: any number, each label by itself.",
        show_default=False,
    ),
]
Files = Annotated[
    list[str],
    typer.Argument(metavar="FILE", help="JSONL from Prodigy's db-out.", show_default=False),
]
Annotators = Annotated[
    str | None,
    option(RATINGS, "A,B", "Keep only these annotators.", "--annotators", "-a", common=True),
]

Labels = Annotated[
    str | None,
    option(RATINGS, "A,B", "Keep only these labels.", "--labels", "-l", common=True),
]


@dataclass(frozen=True)
class _Tasks:
    columns: options.ColumnOptions
    how: options.RatingOptions
    files: Files
    annotators: Annotators = None
    kind: str = "binary"
    labels: Sequence[str] | None = None

    def ratings(self, progress: LateProgress, *_: Any, **__: Any) -> xr.Dataset:
        """Return the ratings of the tasks, without further columns."""
        from iaa_jax.analyses.prodigy.reading import read_tasks
        from iaa_jax.io.base import Options
        from iaa_jax.io.request import FileRequest

        progress.step("Reading")
        columns, how = self.columns, self.how
        reading = Options(
            item=columns.item,
            annotator=columns.annotator,
            duplicates=how.duplicates,
            skipped=how.skipped,
            include=how.include or (),
            progress=progress.done,
            format="prodigy",
            file_pattern=columns.file_pattern,
            encoding=columns.encoding,
            max_megabytes=columns.max_megabytes,
        )
        kept = choices.listed(self.annotators, "--annotators")
        return read_tasks(FileRequest(self.files, reading), self.kind, self.labels, kept)


_COLUMNS = ("item", "annotator", "file_pattern", "encoding", "max_megabytes")
_RATINGS = ("duplicates", "skipped", "include")
_tasks = joined(
    _Tasks,
    shared(options.ColumnOptions, COLUMNS, *_COLUMNS),
    shared(options.RatingOptions, RATINGS, *_RATINGS),
    only=("files", "annotators"),
)


def _mode(mode: Mode) -> str:
    return mode


@takes(_tasks, interval_options, output_options)
def prodigy_binary(tasks: _Tasks, random: IntervalOptions, output: Output) -> None:
    """Show statistics and agreement of accepted and rejected tasks.

    The figures are those of Prodigy's metric.iaa.binary: percent agreement,
    Krippendorff's alpha and Gwet's AC2 of the answers, with intervals. An ignored
    task is a missing rating. If tasks ask about labels, an example counts once for
    each label.

    Examples
    --------
    iaa prodigy binary ann.jsonl bob.jsonl
    iaa prodigy binary ann.jsonl bob.jsonl --json figures.json
    """
    run_functions(tasks, output, Call("prodigy", {"options": random}))


@takes(_mode, _tasks, interval_options, output_options)
def prodigy_doc(
    mode: str,
    tasks: _Tasks,
    random: IntervalOptions,
    output: Output,
    labels: Labels = None,
) -> None:
    """Show statistics and agreement of chosen options.

    The figures are those of Prodigy's metric.iaa.doc: percent agreement,
    Krippendorff's alpha and Gwet's AC2, with intervals. With multilabel, each label
    has its own figures, as present or absent. Ignored and rejected tasks are missing
    ratings.

    Examples
    --------
    iaa prodigy doc multiclass ann.jsonl bob.jsonl
    iaa prodigy doc multilabel ann.jsonl bob.jsonl
    """
    words = [mode, *tasks.files]  # Prodigy's own command takes the data before the mode
    modes = [word for word in words if word in _MODES]
    if len(modes) != 1 or len(words) < 2:
        raise typer.BadParameter(
            f"name one of {' and '.join(_MODES)} before the files, and not {mode!r}",
            param_hint="MODE",
        )
    files = [word for word in words if word not in _MODES]
    kept = choices.listed(labels, "--labels")
    of_mode = replace(tasks, files=files, kind=modes[0], labels=kept)
    run_functions(of_mode, output, Call("prodigy", {"options": random}))


@takes(_tasks, interval_options, output_options)
def prodigy_span(
    tasks: _Tasks,
    random: IntervalOptions,
    output: Output,
    labels: Labels = None,
    partial: Annotated[
        bool,
        option(
            MEASURE,
            None,
            "Overlapping spans with the same label match too, one to one.",
            "--partial",
            common=True,
        ),
    ] = False,
) -> None:
    """Show statistics and agreement of spans, such as entities.

    The figures are those of Prodigy's metric.iaa.span: pairwise F1 by label and
    micro-averaged over pairs of annotators, with intervals, the gain from partial
    over strict matching, and the normalised confusion matrix. Ignored and rejected
    tasks count as not seen.

    Examples
    --------
    iaa prodigy span ann.jsonl bob.jsonl
    iaa prodigy span ann.jsonl bob.jsonl --partial
    """
    marked = replace(tasks, kind="span", labels=choices.listed(labels, "--labels"))
    run_functions(marked, output, Call("prodigy", {"partial": partial, "options": random}))
