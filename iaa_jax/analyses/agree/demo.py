"""The command ``iaa demo``: agreement on a small real set that comes with the package."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated

import typer

from iaa_jax.analyses.agree.command import show, watched
from iaa_jax.analyses.agree.measuring import Measuring
from iaa_jax.cli import options
from iaa_jax.cli.exits import exits
from iaa_jax.cli.output import STANDARD_OUTPUT, check_target, write_whole
from iaa_jax.cli.reading import Reading

NAME = "pandalm.csv"
SHOWN_AS = f"iaa_jax/demo/{NAME}"

ABOUT = """\
Demo: the PandaLM test set. For 999 pairs of answers, three people and two
language models (GPT-3.5 and PandaLM-7B) say which answer is better: the first
(1), the second (2) or neither (tie). 25 cells are empty: no usable answer.
Source: https://github.com/WeOpenML/PandaLM (Wang et al., ICLR 2024), here the
judgements alone. Licence of the data: Apache License 2.0,
https://www.apache.org/licenses/LICENSE-2.0
"""

NEXT = """\
The same on a table of your own (CSV or TSV):
  iaa agree FILE
  iaa agree FILE --item text_id --annotator name --label answer
This table as a file, and the three people alone:
  iaa demo --save pandalm.csv
  iaa agree pandalm.csv --keep-annotators annotator1,annotator2,annotator3
"""


def demo(
    replicates: options.Replicates = 2000,
    seed: options.Seed = 0,
    json: options.Json = None,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the table to FILE, and measure nothing.", dir_okay=False
        ),
    ] = None,
    debug: options.Debug = False,
) -> None:
    """Show what 'iaa agree' prints, on a small real set that comes with the package."""
    if save is not None and save.exists():
        message = f"{str(save)!r} already exists; name a new file"
        raise typer.BadParameter(message, param_hint="--save")
    with exits(debug):
        check_target(json)
        check_target(None if save is None else str(save))
        with as_file(files("iaa_jax").joinpath("demo", NAME)) as table:
            if save is not None:
                write_whole(save, table.read_bytes())
                typer.echo(f"{save} is written. Try: iaa agree {save}")
                return
            measuring = Measuring(replicates=replicates, seed=seed)
            report = watched(Reading(files=(str(table),)), measuring)
        # the folder that the package is installed in says nothing to a reader
        report = replace(report, provenance={**report.provenance, "files": [SHOWN_AS]})
        if json != STANDARD_OUTPUT:
            typer.echo(ABOUT)
        show(report, json)
        if json != STANDARD_OUTPUT:
            typer.echo(f"\n{NEXT}", nl=False)
