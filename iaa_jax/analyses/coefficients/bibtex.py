"""Sources of coefficients as BibTeX, with the software that measured them."""

from __future__ import annotations

from collections.abc import Sequence

from iaa_jax import __version__
from iaa_jax.catalog import CATALOG, resolve_name


def bibtex(names: Sequence[str] | None = None) -> str:
    """An entry for each coefficient, and one for this package.

    An entry names the works that the coefficient comes from, and links one of them: reference
    managers complete it by its DOI.

    Examples
    --------
    >>> print(bibtex(["fleiss_kappa"]).split("@software")[0].rstrip())
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
