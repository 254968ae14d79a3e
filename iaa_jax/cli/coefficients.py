"""The command ``iaa coefficients``: the catalogue."""

from __future__ import annotations

from typing import Annotated

import typer

from iaa_jax.cli import choices


def coefficients(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]", help="Tell all about this one, or list those that begin so."
        ),
    ] = None,
) -> None:
    """List the coefficients, or tell all about one of them."""
    from iaa_jax.catalog import CATALOG, resolve_name
    from iaa_jax.cli.output import console
    from iaa_jax.report.catalogue import print_catalogue, print_coefficient

    if name is None:
        print_catalogue(console(), CATALOG.values())
        return
    family = [row for row in CATALOG.values() if row.name.startswith(name)]
    if name not in choices.NAMES and family:
        print_catalogue(console(), family)
        return
    choices.one_of(name, choices.NAMES, "NAME")
    row = resolve_name(name)
    facts = {
        "Annotators": {None: "any number", 2: "two"}.get(
            row.measure.annotators, str(row.measure.annotators)
        ),
        "Who rated": "must be known" if row.identified else "need not be known",
        "Weights": "--weights or --distance" if row.takes_weights else "none",
    }
    if row.measure.takes_values:
        facts["Ratings"] = "numbers, or labels that are numbers"
    if row.measure.complete:
        facts["Items"] = "those that every annotator rated"
    if row.levels:
        facts["Level"] = f"--level: {', '.join(row.levels)}"
    print_coefficient(console(), row, facts)
