"""Make the pages of the catalogue: a list of coefficients, or one coefficient in full."""

from __future__ import annotations

import xarray as xr

from iaa_jax.analyses.coefficients.declared import COEFFICIENTS
from iaa_jax.pages import Facts, Page, Remarks, Text
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.wording import Note

_LISTED = ("title", "summary", "aliases")


def page(result: xr.Dataset) -> Page:
    """Return the page of a result of `iaa_jax.coefficients`."""
    if result.sizes["coefficient"] == 1:
        return _in_full(result)
    listed = Facts(
        [
            (name, Note("also" if values[-1] else "what", dict(zip(_LISTED, values, strict=True))))
            for name, *values in zip(
                *(result[each].values.tolist() for each in ("coefficient", *_LISTED)), strict=True
            )
        ]
    )
    tables = FigureColumns(COEFFICIENTS, result).further("coefficient")
    more = Remarks([Note("more")])
    return Page("Coefficients", [], [listed, *tables, more], results={"coefficients": result})


def _in_full(result: xr.Dataset) -> Page:
    row = {str(name): variable.values[0] for name, variable in result.variables.items()}
    annotators = {0: Note("any_number"), 2: Note("two")}.get(int(row["annotators"]))
    facts: dict[str, Text] = {
        "Name": ", ".join(filter(None, (str(row["coefficient"]), str(row["aliases"])))),
        "Equation": str(row["equation"]),
        "Range": str(row["range"]),
        "Undefined": str(row["undefined"]),
        "Annotators": annotators or str(row["annotators"]),
        "Who rated": Note("who_known" if row["identified"] else "who_unknown"),
        "Weights": Note("weights_taken" if row["takes_weights"] else "no_weights"),
        "Ratings": Note("numbers") if row["takes_values"] else "",
        "Items": Note("complete") if row["complete"] else "",
        "Levels": str(row["levels"]),
    }
    rows = [(heading, text) for heading, text in facts.items() if text]
    source = Note("source", {"source": str(row["source"]), "link": str(row["link"])})
    answer = Note("alone", {"title": str(row["title"]), "summary": str(row["summary"])})
    blocks = [Facts([*rows, ("Source", source)])]
    return Page(str(row["title"]), [answer], blocks, results={"coefficients": result})


PAGES = {("coefficients",): page}
