"""Functions that return the catalogue of coefficients, and its sources as BibTeX."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import xarray as xr

from iaa_jax import __version__
from iaa_jax._checks import check_names
from iaa_jax.analyses.coefficients import declared
from iaa_jax.catalog import CATALOG, resolve_name
from iaa_jax.catalog.labelling import METHODS, LabellingMethod
from iaa_jax.catalog.scales import SCALES, Scale
from iaa_jax.catalog.works import bibtex_of
from iaa_jax.measure.results import dataset_of
from iaa_jax.wording.figures import gives


@gives(declared)
def coefficients(names: Sequence[str] | None = None) -> xr.Dataset:
    """List the coefficients: what each is, what it needs, and its source.

    Parameters
    ----------
    names : sequence of str, optional
        Names or aliases of coefficients; by default all coefficients.

    Returns
    -------
    xarray.Dataset
        Along ``coefficient``:

        COEFFICIENTS

        The attribute ``conclusion`` is always "listed".

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
    check_names("names", () if names is None else names)
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
    return dataset_of(
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
    """Return the sources of coefficients in BibTeX, with an entry for this package.

    Each work is one entry; its field ``annote`` names the coefficients whose source it is.

    Parameters
    ----------
    names : sequence of str, optional
        Names or aliases of coefficients; by default all coefficients. Names of methods of
        `iaa_jax.gold` and of scales of `iaa_jax.in_words` are also accepted.

    Returns
    -------
    str
        The entries, separated by blank lines.

    Raises
    ------
    IaaError
        If a name is unknown.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> print(iaa.coefficients.bibtex(["scott_pi"]).split("@software")[0].rstrip())
    @article{scott1955,
      author = {Scott, William A.},
      year = {1955},
      title = {Reliability of content analysis: The case of nominal scale coding},
      journal = {Public Opinion Quarterly},
      volume = {19},
      number = {3},
      pages = {321--325},
      doi = {10.1086/266577},
      annote = {Scott's pi},
    }
    """
    others: Mapping[str, LabellingMethod | Scale] = {**METHODS, **SCALES}
    check_names("names", () if names is None else names)
    wanted = CATALOG if names is None else names
    rows = [others[str(name)] if str(name) in others else resolve_name(name) for name in wanted]
    return bibtex_of(((row.title, row.sources) for row in rows), __version__)
