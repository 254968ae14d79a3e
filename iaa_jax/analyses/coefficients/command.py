"""Define the command ``iaa coefficients``, which shows the catalogue of coefficients."""

from __future__ import annotations

from typing import Annotated

import typer

import iaa_jax
from iaa_jax.catalog.labelling import METHODS
from iaa_jax.cli import choices
from iaa_jax.cli.groups import takes
from iaa_jax.cli.options import OUTPUT, option
from iaa_jax.cli.run import Output, output_options, page_of, run


@takes(output_options)
def coefficients(
    output: Output,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]", help="Coefficient to explain, or the beginning of several names."
        ),
    ] = None,
    bibtex: Annotated[
        bool,
        option(
            OUTPUT,
            None,
            "Print only the sources, as BibTeX; NAME may also be a gold method or a scale.",
            "--bibtex",
            common=True,
        ),
    ] = False,
) -> None:
    """List the coefficients, or explain one of them.

    Examples
    --------
    iaa coefficients krippendorff_alpha
    iaa coefficients fleiss_kappa --bibtex
    """
    names = None if name is None else [known for known in choices.NAMES if known.startswith(name)]
    if name and (name in choices.NAMES or (bibtex and name in (*METHODS, *choices.SCALES))):
        names = [name]
    elif not names:
        choices.one_of(name, choices.NAMES, "NAME")

    if bibtex:
        typer.echo(iaa_jax.coefficients.bibtex(names))
        return
    run(lambda progress: page_of("coefficients", progress, names), output)
