"""The distribution of items' agreement: the share of items in each range, and a histogram."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from iaa_jax._errors import NO_PAIRABLE_ITEM
from iaa_jax._types import Variables
from iaa_jax.catalog import Measure
from iaa_jax.engine import Problem
from iaa_jax.engine.drawing import Resampling
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.namespace import Array, divided, first_code, namespace
from iaa_jax.kernels.raters import Raters
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.intervals.uncertainty import measure_requests
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.shared.set_pairs import SetPairs
from iaa_jax.wording import Note

_BINS = 10


class BandStatistics(NamedTuple):
    """Whether an item's agreement lies in each band (range), and whether it is defined."""

    inside: Array  # (item, band)
    known: Array  # (item,)


def band_statistics(mass: Array, raters: Raters, *_: Array | None) -> BandStatistics:
    """Return the statistics of each item, whose weighted sums the formula takes.

    ``mass`` (item, 2, band) holds two equal rows for each item. They are 1 if the item's agreement
    lies in the band, 0 if not, and NaN for items with fewer than two ratings.
    """
    del raters
    xp = namespace(mass)
    unknown = xp.isnan(mass[:, 0, 0])
    inside = xp.where(unknown[:, None], xp.zeros_like(mass[:, 0]), mass[:, 0])
    return BandStatistics(inside, xp.astype(~unknown, mass.dtype))


def band_formula(sums: BandStatistics, *_: Array | None) -> Agreement:
    """Return the share of items inside each band, among items with two ratings or more."""
    xp = namespace(sums.inside)
    known = xp.broadcast_to(sums.known, sums.inside.shape)
    code = first_code(xp, (known == 0, NO_PAIRABLE_ITEM))
    share = divided(xp, sums.inside, known)
    return Agreement(share, share, xp.zeros_like(share), code)


_BANDS = Measure(Kernel("bands", band_statistics, band_formula), identified=True, per_label=True)


def band_shares(
    pairs: SetPairs,
    tables: Rated,
    bands: Sequence[tuple[float, float]],
    options: IntervalOptions,
    resampling: Resampling,
) -> tuple[Variables, tuple[Note, ...]]:
    """Return the share of items in each band and its interval, and the notes on the shares.

    The variables also say, for each band, in what share of its items every rating has one label.
    """
    table = tables.identified_table
    low, high = np.array(bands, dtype=np.float64).T
    agreement = pairs.agreement[:, None]
    slack = 1e-12  # rounding must not exclude a mean of shares that is .7 from a band from .7 on
    with np.errstate(invalid="ignore"):
        inside = ((agreement >= low - slack) & (agreement <= high + slack)).astype(np.float64)
    items = table.count @ inside
    known = np.where(pairs.panel[:, None] >= 2, inside, np.nan)
    data = np.repeat(known[:, None, :], 2, axis=1)  # two rows, like two ratings
    request = Request("bands", None, Problem(_BANDS, table, data), "", is_share=True)
    (figures,) = measure_requests([request], options, pairs.items, resampling=resampling)
    share = np.asarray(figures.agreement.estimate)
    share = np.where(figures.agreement.code == 0, share, np.nan)
    single = (table.count * pairs.single) @ inside
    of_single = np.divide(single, items, where=items > 0, out=np.full(len(bands), np.nan))
    method = np.asarray(figures.made_by.method)
    variables: Variables = {
        "band_low": ("band", low),
        "band_high": ("band", high),
        "band_items": ("band", items),
        "band_share": ("band", share),
        "band_standard_error": ("band", figures.standard_error),
        "band_ci_low": ("band", figures.low),
        "band_ci_high": ("band", figures.high),
        "band_interval": ("band", np.broadcast_to(method, len(bands)).copy()),
        "band_single_label": ("band", of_single),
    }
    return variables, figures.notes


def histogram(pairs: SetPairs, tables: Rated) -> Variables:
    """Count items by agreement in equal bins; the last bin includes 1."""
    known = pairs.panel >= 2
    edges = np.linspace(0, 1, _BINS + 1)
    # a value on an edge belongs to the bin above, despite rounding
    bin_of = np.floor(pairs.agreement[known] * _BINS + 1e-9).astype(np.intp)
    count = tables.identified_table.count[known]
    items = np.bincount(np.clip(bin_of, 0, _BINS - 1), count, minlength=_BINS)
    return {
        "bin_low": ("bin", edges[:-1]),
        "bin_high": ("bin", edges[1:]),
        "bin_items": ("bin", items),
    }
