"""Notes on missing ratings: isolated annotators, and less agreement on items with few ratings."""

from __future__ import annotations

import numpy as np

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats
from iaa_jax.data.storage import annotator_of, panel_sizes, rated, without_further_votes
from iaa_jax.engine.drawing.streams import Purpose, stream
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.wording import Note

LEVEL = 0.05
"""Maximum p-value of a reported difference."""

DRAWS = 399

MOST_DRAWN = 5_000
"""With more items than this, the null distribution is taken as normal instead of drawn."""

NAMED = 5


def note_on_gaps(ratings: Rated, seed: int) -> Note | None:
    """Return a note if agreement is higher on items with more ratings (for single labels)."""
    if not ratings.kind.has_one_label:
        return None
    try:
        problem = Resolver(ratings).request("percent_agreement").problem
    except IaaError:
        return None  # there are too many labels for a table
    count = problem.table.count
    if np.any(count != np.rint(count)):
        return None
    mass = problem.data
    rated = np.asarray(~np.isnan(mass).any(axis=-1))
    sizes = rated.sum(axis=1).astype(np.float64)
    mass = np.where(rated[..., None], mass, 0.0)
    agreeing = np.square(mass.sum(axis=1)).sum(axis=-1) - np.square(mass).sum(axis=(1, 2))
    used = sizes >= 2
    items = np.repeat(np.flatnonzero(used), count[used].astype(np.intp))
    agreement = agreeing[items] / (sizes[items] * (sizes[items] - 1))
    sizes = sizes[items]
    if not len(items) or np.ptp(sizes) == 0 or np.ptp(agreement) == 0:
        return None
    p_value = more_rated_agree_more(agreement, sizes, seed)
    if p_value > LEVEL:
        return None
    many = sizes > sizes.mean()
    values = {
        "many": float(agreement[many].mean()),
        "few": float(agreement[~many].mean()),
        "least": int(sizes[many].min()),
        "most": int(sizes[~many].max()),
        "p": p_value,
    }
    return Note("more_rated_agree_more", values, "caution")


def more_rated_agree_more(agreement: Floats, sizes: Floats, seed: int) -> float:
    """Return the p-value of a one-sided test for higher agreement on items with more ratings.

    The agreement of an item is the share of its pairs of ratings that agree. If ratings are missing
    at random, a random pair agrees equally often for any number of ratings. Pairs drawn at random,
    one from each item, are therefore exchangeable. The statistic is the sum over items of agreement
    times the deviation of the number of ratings from its mean. It is compared with the same sum for
    one random pair of each item, after the pairs are permuted over items. Since one pair's
    agreement, 0 or 1, varies more than the mean of several, the test is conservative.

    Examples
    --------
    >>> import numpy as np
    >>> sizes = np.repeat([2.0, 5.0], 20)
    >>> more_rated_agree_more(np.repeat([0.4, 0.9], 20), sizes, 0) < 0.01
    True
    >>> more_rated_agree_more(np.tile([0.4, 0.9], 20), sizes, 0) > 0.2
    True
    """
    from scipy.special import ndtr

    distance = sizes - sizes.mean()
    statistic = float(agreement @ distance)
    if len(agreement) > MOST_DRAWN:
        mean = float(agreement.mean())
        return float(ndtr(-statistic / np.sqrt(mean * (1 - mean) * (distance @ distance))))
    draw = stream(seed, Purpose.WELL_PAIRED)
    pairs = (draw.random((DRAWS, len(agreement))) < agreement).astype(np.float64)
    drawn = draw.permuted(pairs, axis=1) @ distance
    return float((1 + np.count_nonzero(drawn >= statistic - 1e-9)) / (DRAWS + 1))


def note_on_isolated_annotators(ratings: Rated) -> Note | None:
    """Return a note on annotators who share no item with others."""
    if ratings.anonymous:
        return None
    known = rated(ratings.dataset)
    rated_once = panel_sizes(without_further_votes(ratings.dataset, known)) == 1
    if not rated_once.any():
        return None
    items, columns = np.nonzero(known)
    slots, weights = annotator_of(ratings.dataset), ratings.item_weight[items]
    who = columns if slots is None else slots[items, columns]
    size = ratings.annotators
    shared = np.bincount(who, ~rated_once[items], size)
    given = np.bincount(who, weights, size)
    isolated = np.flatnonzero((given > 0) & (shared == 0))
    if not isolated.size:
        return None
    names = ratings.annotator_names
    first = [
        Note("annotator_apart", {"name": str(names[k]), "ratings": round(float(given[k]))})
        for k in isolated[:NAMED]
    ]
    more = isolated.size - len(first)
    values = {
        "annotators": [*first, *([Note("more_apart", {"annotators": more})] if more else [])],
        "count": int(isolated.size),
        "ratings": round(float(given[isolated].sum())),
    }
    return Note("annotators_apart", values, "caution")
