"""The catalogue of coefficients as a result."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import xarray as xr

from iaa_jax import __version__
from iaa_jax.analyses.coefficients.declared import COEFFICIENTS
from iaa_jax.catalog import CATALOG, resolve_name
from iaa_jax.wording.figures import gives


@gives({"COEFFICIENTS": COEFFICIENTS})
def coefficients(names: Sequence[str] | None = None) -> xr.Dataset:
    """The coefficients: what each is, what it needs, and its source.

    Parameters
    ----------
    names : sequence of str, optional
        Names or aliases; all by default.

    Returns
    -------
    xarray.Dataset
        Along ``coefficient``:

        COEFFICIENTS

        The ``conclusion`` is "listed".

    Raises
    ------
    IaaError
        If a name is unknown.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> iaa.coefficients(["gwet_ac1"]).aliases.item(), len(iaa.coefficients().coefficient) > 20
    ('', True)
    """
    rows = list(CATALOG.values()) if names is None else [resolve_name(name) for name in names]
    texts = ("title", "summary", "equation", "range", "undefined", "source", "doi", "link")
    variables = {text: [getattr(row, text) for row in rows] for text in texts}
    variables["aliases"] = [", ".join(row.aliases) for row in rows]
    variables["levels"] = [", ".join(row.levels) for row in rows]
    facts = {
        "identified": [row.identified for row in rows],
        "takes_weights": [row.takes_weights for row in rows],
        "takes_values": [row.measure.takes_values for row in rows],
        "complete": [row.measure.complete for row in rows],
        "annotators": [row.measure.annotators or 0 for row in rows],
    }
    return xr.Dataset(
        {name: ("coefficient", np.array(values)) for name, values in (variables | facts).items()},
        {"coefficient": [row.name for row in rows]},
        {
            "made_by": "coefficients",
            "conclusion": "listed",
            "notes": "[]",
            "iaa_jax_version": __version__,
        },
    )


def coefficients_bibtex(names: Sequence[str] | None = None) -> str:
    """The sources of coefficients in BibTeX: an entry for each, and one for this package.

    An entry names the works that the coefficient comes from, and links one of them: reference
    managers complete it by its DOI.

    Parameters
    ----------
    names : sequence of str, optional
        Names or aliases; all by default.

    Returns
    -------
    str

    Raises
    ------
    IaaError
        If a name is unknown.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> print(iaa.coefficients.bibtex(["fleiss_kappa"]).split("@software")[0].rstrip())
    @misc{fleiss_kappa,
      note = {Fleiss' kappa: Fleiss 1971; Siegel and Castellan 1988},
      doi = {10.1037/h0031619},
      url = {https://doi.org/10.1037/h0031619},
    }
    """
    rows = list(CATALOG.values()) if names is None else [resolve_name(name) for name in names]
    entries = [
        _entry("misc", row.name, note=f"{row.title}: {row.source}", doi=row.doi, url=row.link)
        for row in rows
    ]
    title = "iaa_jax: inter-annotator agreement with intervals"
    return "\n\n".join([*entries, _entry("software", "iaa_jax", title=title, version=__version__)])


def _entry(kind: str, key: str, **fields: str) -> str:
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{kind}{{{key},", *lines, "}"])
