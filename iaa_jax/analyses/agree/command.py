"""The commands ``iaa agree`` and ``iaa demo``: coefficients with intervals."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import iaa_jax
from iaa_jax._options import options_of
from iaa_jax.catalog import LEVELS
from iaa_jax.cli import choices, options
from iaa_jax.cli.context import as_if_given, speaking_of
from iaa_jax.cli.exits import exits
from iaa_jax.cli.groups import (
    InputOptions,
    Keywords,
    columns_of,
    reading_options,
    sampling_options,
    shared,
    takes,
)
from iaa_jax.cli.options import INTERVALS, MEASURE, OUTPUT, WRITTEN, option
from iaa_jax.cli.questions import ratings_of_questions
from iaa_jax.cli.requirements import coefficients_required
from iaa_jax.cli.run import (
    Call,
    Output,
    call,
    gated_output_options,
    output_options,
    page_of,
    run,
    run_functions,
)
from iaa_jax.cli.targets import STREAM, check_files
from iaa_jax.measure import IntervalOptions, LabelOptions
from iaa_jax.wording.formats import name as printable

if TYPE_CHECKING:
    from iaa_jax.cli.progress import LateProgress
    from iaa_jax.pages import Page


undefined_option = shared(IntervalOptions, MEASURE, "undefined")
other_label_options = shared(
    LabelOptions, MEASURE, *(each.name for each in options_of(LabelOptions) if each.name != "level")
)


@takes(
    reading_options,
    other_label_options,
    sampling_options,
    undefined_option,
    gated_output_options,
    common=("cluster",),
)
def agree(
    reading: InputOptions,
    how: LabelOptions,
    random: IntervalOptions,
    shown: IntervalOptions,
    output: Output,
    coefficients: options.Coefficients = None,
    scale: Annotated[
        str | None,
        option(
            OUTPUT,
            "NAME",
            "Add the verbal grade of each coefficient, allowing for its standard error: "
            f"{', '.join(choices.SCALES)}.",
        ),
    ] = None,
    above: Annotated[
        list[float] | None,
        option(
            OUTPUT,
            "NUMBER",
            "Add the probability that each coefficient exceeds this number, such as 0.667 "
            "(Bayesian bootstrap); repeatable.",
            max=1,
            show_default=False,
        ),
    ] = None,
    zero: Annotated[
        bool,
        option(
            OUTPUT,
            None,
            "Add a test of zero agreement: how often chance alone gives a figure as extreme.",
            "--zero",
        ),
    ] = False,
    by: Annotated[
        str | None,
        option(MEASURE, "COLUMN", "Add coefficients for each group in this column.", common=True),
    ] = None,
    level: Annotated[
        str | None,
        option(
            MEASURE,
            "NAME",
            f"Level (order of words: --labels): {', '.join(LEVELS)}. By question: "
            "'A=ordinal,B=nominal'.",
            common=True,
        ),
    ] = None,
    questions: Annotated[
        str | None,
        option(
            MEASURE,
            "A,B",
            "Several questions, each measured separately: label columns, groups of columns (such "
            "as 'tone_*'), or questions of an export.",
        ),
    ] = None,
    sentence: Annotated[
        bool,
        option(OUTPUT, None, "Add a sentence for a paper, with interval and source.", "--sentence"),
    ] = False,
    keep_replicates: Annotated[
        str | None,
        option(OUTPUT, WRITTEN, "Save the replicates (netCDF), for iaa_jax.bootstrap.intervals."),
    ] = None,
) -> None:
    """Measure agreement: coefficients with intervals.

    Reads CSV, TSV, Excel, JSON, JSONL, Parquet, R, Stata and SPSS, compressed or in an archive
    (zip, tar): long tables (one row per rating: item, annotator, label), wide tables (one row per
    item, one column per annotator), counts of labels, one-hot columns, and exports of annotation
    tools ('iaa formats' lists them).

    Examples
    --------
    iaa agree ratings.csv --by batch
    iaa agree export.json --require 'krippendorff_alpha>=0.667'
    """
    names = choices.coefficients_of(coefficients)
    further = coefficients_required(output.requirements, names)
    choices.one_of(scale, choices.SCALES, "--scale")
    if keep_replicates == STREAM:
        raise typer.BadParameter(
            "name a file for the replicates, such as replicates.nc", param_hint="--keep-replicates"
        )

    of_questions = choices.listed(questions, "--questions")
    levels = choices.levels_of(level, "--level")
    if isinstance(levels, dict) and not of_questions:
        raise typer.BadParameter(
            "one level for each question is for --questions: give one level, or --questions, too",
            param_hint="--level",
        )
    not_combined = {
        "--by": by,
        "--zero": zero,
        "--above": above,
        "--scale": scale,
        "--sentence": sentence,
    }
    not_combined |= {"--keep-replicates": keep_replicates, "--label": reading.columns["label"]}
    for name in [name for name, value in not_combined.items() if of_questions and value]:
        raise typer.BadParameter(
            "it cannot be combined with several questions: choose one with --label",
            param_hint=name,
        )

    def work(progress: LateProgress) -> Page:
        from iaa_jax._files import write_whole
        from iaa_jax.catalog import resolve_name

        intervals = replace(random, undefined=shown.undefined)
        columns = columns_of(intervals)
        if of_questions:
            all_names = names if names is None else [*dict.fromkeys([*names, *further])]
            by_question = ratings_of_questions(reading, of_questions, progress, columns)
            progress.step("Measuring")
            settings: Keywords = {"level": levels, "label_options": how, "options": intervals}
            return page_of("agree.questions", progress, by_question, all_names, **settings)
        leveled = replace(how, level=level)
        ratings = reading.ratings(progress, [*(() if by is None else (by,)), *columns])
        results = call(
            "agree",
            progress,
            ratings,
            names,
            also=further,
            by=by,
            scale=scale,
            above=above or (),
            zero=zero,
            label_options=leveled,
            options=intervals,
        )
        if keep_replicates is not None:
            progress.step("Replicates")
            of_result: Keywords = {"label_options": leveled, "options": intervals}
            figures = results["coefficients"]
            drawn = call("bootstrap.of_result", progress, ratings, figures, **of_result)
            write_whole(Path(keep_replicates), bytes(drawn.to_netcdf(engine="scipy")))
        of_labels = any(resolve_name(name).per_label for name in names or ())
        lines = ratings.sizes.get("label") if of_labels else None
        return iaa_jax.page(results, top=lines, sentence=sentence)

    others = (keep_replicates,) if keep_replicates else ()
    run(work, replace(output, others=others), reading.files)


DEMO = "pandalm.csv"
"""File of the demo's ratings, and the name that `NEXT` suggests for saving them."""

PEOPLE = ("annotator1", "annotator2", "annotator3")
"""The human annotators of the demo; the others are language models."""

ABOUT = """\
Demo: the PandaLM test set. For 999 pairs of answers, three people say which
answer is better: the first (1), the second (2) or neither (tie). The table also
has the ratings of two language models (GPT-3.5 and PandaLM-7B).
Source: https://github.com/WeOpenML/PandaLM (Wang et al., ICLR 2024); only the
ratings are included. Licence of the data: Apache License 2.0,
https://www.apache.org/licenses/LICENSE-2.0
"""

NEXT = """\
On a table of your own (CSV or TSV):
  iaa agree FILE
  iaa agree FILE --item text_id --annotator name --label answer
The whole analysis as one page, to open in a browser or send by mail:
  iaa report FILE
To save this table, and to test whether the models may replace people:
  iaa demo --save pandalm.csv
  iaa judge pandalm.csv --judges gpt-3.5-turbo,pandalm-7b
"""


@takes(shared(IntervalOptions, INTERVALS, "interval", "replicates", "seed"), output_options)
def demo(
    random: IntervalOptions,
    output: Output,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar=WRITTEN, help="Write the table to FILE and measure nothing.", dir_okay=False
        ),
    ] = None,
) -> None:
    """Run 'iaa agree' on a small real data set.

    Examples
    --------
    iaa demo
    iaa demo --save pandalm.csv
    """
    if save is not None and save.exists():
        raise typer.BadParameter(
            f"{str(save)!r} already exists; name a new file", param_hint="--save"
        )
    packed = files("iaa_jax").joinpath("demo", DEMO)
    with exits(output.debug), as_file(packed) as table, speaking_of("labels"):
        if save is not None:
            _save_demo(table, save)
            return
        if output.to_terminal:
            typer.echo(ABOUT)
        reading = InputOptions((str(table),), keep_annotators=PEOPLE, shown=(DEMO,))
        with as_if_given({"keep_annotators": ",".join(PEOPLE)}):
            run_functions(reading, output, Call("agree", {"options": random}))
        if output.to_terminal:
            typer.echo(f"\n{NEXT}", nl=False)


def _save_demo(table: Path, target: Path) -> None:
    from iaa_jax._files import write_whole
    from iaa_jax.wording.commands import in_shell

    check_files(others=[str(target)])
    write_whole(target, table.read_bytes())
    people = ",".join(PEOPLE)
    command = in_shell(["iaa", "agree", str(target), "--keep-annotators", people])
    typer.echo(f"Wrote {printable(target)}. Try:\n  {command}")
