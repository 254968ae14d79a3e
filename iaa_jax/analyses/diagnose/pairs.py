"""Agreement of each pair of annotators on common items; for numbers, their distance."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from iaa_jax._types import Floats, Integers, Variables
from iaa_jax.analyses.diagnose.comparisons import chance_disagreement, entries_of, inner, summed
from iaa_jax.data.patterns import Codes
from iaa_jax.measure.ratings.magnitude import rescale, restore_squares
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.shared.annotator_pairs import meetings

MOST_ANNOTATORS = 1000
"""Maximum number of annotators with a table of all pairs."""

_CELLS = 1 << 26


def too_many(annotators: int, labels: int) -> bool:
    """Return whether a table of pairs would be too large."""
    return annotators > MOST_ANNOTATORS or annotators**2 * labels > _CELLS


def agreement_of_pairs(
    codes: Codes, count: Floats, annotators: int, shares: csr_array, disagreement: Floats | None
) -> dict[str, Floats]:
    """Return matrices (annotator, annotator) of shared items, agreement and Cohen's kappa.

    Rows of ``disagreement`` are for the label of the annotator in the row. The diagonal of shared
    items has each annotator's number of ratings. Agreement and kappa are NaN on the diagonal and
    for pairs without common items, and kappa also if chance disagreement is 0.
    """
    labels, pairs = shares.shape[1], annotators**2
    shared = np.zeros(pairs)
    disagreeing = np.zeros(pairs)
    margins = np.zeros((labels, pairs))  # label shares of the first annotator of each pair
    towards = towards_labels(shares, disagreement)
    for rater, second_rater, code, second_code, weight in meetings(codes, count):
        for a, b, first, second in (
            (rater, second_rater, code, second_code),
            (second_rater, rater, second_code, code),
        ):
            pair = a * annotators + b
            distance = distances(shares, towards, first, second)
            shared += summed(pair, weight, pairs)
            disagreeing += summed(pair, weight * distance, pairs)
            row, label, share = entries_of(shares[first])
            cell = label * pairs + pair[row]
            margins += summed(cell, weight[row] * share, labels * pairs).reshape(labels, pairs)
    square = (annotators, annotators)
    of_first = margins.reshape(labels, *square)
    chance = chance_disagreement(of_first, of_first.swapaxes(1, 2), disagreement)
    items, observed = shared.reshape(square), disagreeing.reshape(square)
    with np.errstate(invalid="ignore", divide="ignore"):
        agreement = np.where(items > 0, 1 - observed / items, np.nan)
        kappa = np.where((items > 0) & (chance > 0), 1 - observed * items / chance, np.nan)
    np.fill_diagonal(items, ratings_of_each(codes, count, annotators))
    np.fill_diagonal(agreement, np.nan)
    np.fill_diagonal(kappa, np.nan)
    return {"shared_items": items, "agreement": agreement, "kappa": kappa}


def towards_labels(shares: csr_array, disagreement: Floats | None) -> Floats | None:
    """Return the distance (code, label) of ratings from labels; None if only equal labels agree."""
    return None if disagreement is None else np.asarray(shares @ disagreement)


def distances(
    shares: csr_array, towards: Floats | None, first: Integers, second: Integers
) -> Floats:
    """Return the distance of each code in ``first`` from its partner in ``second``."""
    if towards is None:
        sizes = shares.sum(axis=1)
        return np.asarray(sizes[first] * sizes[second] - inner(shares[first], shares[second]))
    row, label, share = entries_of(shares[second])
    return summed(row, towards[first[row], label] * share, len(first))


def distance_of_pairs(
    codes: Codes, count: Floats, annotators: int, values: Floats
) -> dict[str, Floats]:
    """Return shared items and the mean squared difference of each pair, for numbers."""
    shared = np.zeros(annotators**2)
    squares = np.zeros(annotators**2)
    for rater, second_rater, code, second_code, weight in meetings(codes, count):
        distance = weight * (values[code] - values[second_code]) ** 2
        for pair in (rater * annotators + second_rater, second_rater * annotators + rater):
            np.add.at(shared, pair, weight)
            np.add.at(squares, pair, distance)
    items = shared.reshape(annotators, annotators)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(items > 0, squares.reshape(items.shape) / items, np.nan)
    np.fill_diagonal(items, ratings_of_each(codes, count, annotators))
    return {"shared_items": items, "disagreement": mean}


def ratings_of_each(codes: Codes, count: Floats, annotators: int) -> Floats:
    """Return the number of ratings of each annotator."""
    rows, _, raters = codes.ratings()
    return np.bincount(raters, weights=count[rows], minlength=annotators).astype(np.float64)


def items_left(codes: Codes, count: Floats, annotators: int) -> Floats:
    """Return the number of items that have two ratings or more without each annotator."""
    rows, _, raters = codes.ratings()
    ratings = np.bincount(rows, minlength=len(count))
    two = np.where(ratings[rows] == 2, count[rows], 0.0)
    all_items = float(count[ratings >= 2].sum())
    return np.asarray(all_items - np.bincount(raters, two, annotators))


def numbers_of_annotators(resolver: Resolver) -> tuple[Variables, int]:
    """Return annotators' bias and distance from others, and the distance of pairs, for numbers.

    To avoid overflow, figures are scaled; `in_unit` undoes this, given the power of two (the second
    value).
    """
    tables = resolver.tables
    values, power = rescale(tables.distinct_numbers, "differences")
    codes, count = tables.compact_codes, tables.identified_table.count
    size = tables.annotators
    known = (codes.codes >= 0) & ((codes.codes >= 0).sum(axis=1) >= 2)[:, None]
    rows, slots, raters = codes.ratings(known)
    value = values[codes.codes[rows, slots]]
    panel = np.bincount(rows, minlength=len(count))[rows]

    def item_sums(figure: Floats) -> Floats:
        return np.bincount(rows, figure, len(count)).astype(np.float64)[rows]

    # relative to the item's lowest number, and then to its mean: numbers far from 0 keep their
    # differences
    lowest = np.full(len(count), np.inf)
    np.minimum.at(lowest, rows, value)
    value = value - lowest[rows]
    value = value - item_sums(value) / panel
    squares = item_sums(value**2)
    weight = count[rows]

    def summed(figure: Floats | Integers | float) -> Floats:
        return np.bincount(raters, weights=weight * figure, minlength=size).astype(np.float64)

    items = summed(1.0)
    # the sum over the item's ratings y of (x - y)^2
    distance = panel * value**2 + squares
    with np.errstate(invalid="ignore", divide="ignore"):
        squared = summed(distance) / summed(panel - 1)
        # the difference from the mean of the others
        bias = summed(value * panel / (panel - 1)) / items
    variables: Variables = {
        "shared_items": ("annotator", items),
        "disagreement": ("annotator", squared),
        "bias": ("annotator", bias),
    }
    if too_many(size, 1):
        return variables, power
    of_pairs = distance_of_pairs(codes, count, size, values)
    dims = ("annotator", "annotator_2")
    return variables | {f"pair_{name}": (dims, figure) for name, figure in of_pairs.items()}, power


def in_unit(variables: Variables, power: int) -> Variables:
    """Return figures in the unit of the numbers, or in its square."""
    dims, bias = variables["bias"]
    squares = {name: variables[name] for name in variables if name.endswith("disagreement")}
    return {"bias": (dims, np.ldexp(bias, power))} | {
        name: (along, restore_squares(figure, power)) for name, (along, figure) in squares.items()
    }
