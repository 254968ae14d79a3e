"""Items on which the two annotators who agree least differ, and items with confused labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._types import Floats, Integers, Values, Variables
from iaa_jax.analyses.diagnose.pairs import distances, towards_labels
from iaa_jax.data.kind import Kind
from iaa_jax.kernels.confusing import chances
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.floors import ANNOTATOR_RATINGS, DOCUMENTS
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.shared.labels import label_counts, label_shares, sparse_shares
from iaa_jax.measure.shared.votes_by_item import names_of_codes, votes_of_items

MOST = 10
"""Maximum number of items shown for a pair of annotators or labels."""

MOST_PAIRS = 3
"""Maximum number of pairs of labels whose items are shown."""

OWN = "case_own_"
"""Prefix of the names of columns from the ratings file."""

_NEAR = 1e-9
"""Maximum distance that counts as 0, because it is only rounding."""

_OF_PAIRS = ("pair_kappa", "pair_agreement", "pair_disagreement")


class Cases(NamedTuple):
    """Items on which two annotators, or two labels, are in conflict; the most disputed come first.

    ``number`` also counts items that are not listed. For labels of spans, places in documents are
    counted.
    """

    names: tuple[object, object]
    items: NDArray[np.intp]
    number: float
    columns: dict[str, Values]


def with_pair_cases(table: xr.Dataset, resolver: Resolver, variables: Variables) -> xr.Dataset:
    """Add the pairs that agree least and most, and items on which the lowest pair differs."""
    figure = _pair_agreement(variables)
    if figure is None or len(figure) < 3 or np.isnan(figure).all():
        return table
    names, named = resolver.tables.annotator_names, dict[str, str]()
    lowest, highest = (
        np.unravel_index(find(figure), figure.shape) for find in (np.nanargmin, np.nanargmax)
    )
    for role, pair in (("lowest", lowest), ("highest", highest)):
        for number, annotator in enumerate(pair, 1):
            named[f"{role}_pair_{number}"] = str(names[annotator])
    cases = annotator_cases(resolver, int(lowest[0]), int(lowest[1]))
    return with_cases(table.assign_attrs(named), resolver.tables, [cases])


def _pair_agreement(variables: Variables) -> Floats | None:
    """Return kappa, agreement or negative distance by pair; NaN for few shared items."""
    name = next((name for name in _OF_PAIRS if name in variables), None)
    if name is None:
        return None
    enough = variables["pair_shared_items"][1] >= (
        DOCUMENTS if "spans" in variables else ANNOTATOR_RATINGS
    )
    figure = -variables[name][1] if name == "pair_disagreement" else variables[name][1]
    return np.where(enough & np.isfinite(figure), figure, np.nan)


def annotator_cases(resolver: Resolver, first: int, second: int) -> Cases:
    """Return the items on which two annotators differ, the largest distance first."""
    tables = resolver.tables
    codes = tables.compact_codes
    rows, slots, raters = codes.ratings()
    codes_of_two = np.full((2, len(codes.codes)), -1)
    for number, annotator in enumerate((first, second)):
        indices = np.flatnonzero(raters == annotator)[::-1]
        codes_of_two[number, rows[indices]] = codes.codes[rows[indices], slots[indices]]
    both = np.flatnonzero((codes_of_two >= 0).all(axis=0))
    one, two = codes_of_two[:, both]
    columns: dict[str, Values] = {}
    further: Floats = np.zeros(len(both))
    if tables.kind is Kind.SPANS:
        distance, columns = _marked(tables, one, two)
    elif tables.kind is Kind.NUMBERS:
        values = tables.distinct_numbers
        distance = np.abs(values[one] - values[two])
        columns = {"case_given_a": values[one], "case_given_b": values[two]}
    else:
        matrix = resolver.label_agreements.matrix(None)
        disagreement = None if matrix is None else 1 - matrix
        shares = sparse_shares(tables)
        distance = distances(shares, towards_labels(shares, disagreement), one, two)
        names = names_of_codes(tables)
        columns = {"case_given_a": names[one], "case_given_b": names[two]}
        further = _dispute(codes.codes[both])
    pattern_of = np.full(len(codes.codes), -1)
    pattern_of[both] = np.arange(len(both))
    of_item = pattern_of[tables.identified.pattern_of]
    # for numbers any distance counts, because all their distances may be small
    near = 0.0 if tables.kind is Kind.NUMBERS else _NEAR
    items = np.flatnonzero((of_item >= 0) & (np.append(distance, 0.0)[of_item] > near))
    known = of_item[items]
    order = np.lexsort([-further[known], -distance[known]])[:MOST]
    chosen = {name: values[known[order]] for name, values in columns.items()}
    pair = tables.annotator_names[first], tables.annotator_names[second]
    return Cases(pair, items[order], _number(tables, items), chosen)


def _dispute(codes: Integers) -> Floats:
    """Return the share of pairs of ratings that differ, by row of ``codes``."""
    row, slot = np.nonzero(codes >= 0)
    ratings = np.bincount(row, minlength=len(codes))
    distinct = int(codes.max(initial=0)) + 1
    cells, size = np.unique(row * distinct + codes[row, slot], return_counts=True)
    alike = np.bincount(cells // distinct, size * (size - 1.0), len(codes))
    return np.asarray(1 - alike / np.maximum(ratings * (ratings - 1.0), 1.0))


def _marked(tables: Rated, one: Integers, two: Integers) -> tuple[Floats, dict[str, Values]]:
    """Return how many spans of a document only one of two annotators marked, and span counts."""
    from iaa_jax.data.marked.counts import pair_counts
    from iaa_jax.data.marked.documents import Documents

    documents = Documents(np.stack([one, two], axis=1), tables.spans.markings)
    counts = pair_counts(documents, "strict")
    shared, first, second = (
        part.sum(axis=1) for part in (counts.matched, counts.first, counts.second)
    )
    columns = {"case_spans_a": first, "case_spans_b": second, "case_shared": shared}
    return first + second - 2 * shared, {
        name: values.astype(np.int64) for name, values in columns.items()
    }


def label_cases(tables: Rated, coincidences: Floats) -> list[Cases]:
    """Return the items with both labels, for up to three pairs of labels confused beyond chance."""
    if tables.kind is Kind.SETS:
        return []  # confusion of labels within label sets is a different question
    cases = []
    for first, second in _pairs_beyond_chance(coincidences):
        if tables.kind is Kind.SPANS:
            from iaa_jax.analyses.diagnose.span_cases import places_with_both

            items, number, columns = places_with_both(tables, first, second, MOST)
        else:
            items, number = _items_with_both(tables, first, second)
            columns = {}
        names = tables.label_names
        cases.append(Cases((names[first], names[second]), items, number, columns))
    return cases


def _pairs_beyond_chance(coincidences: Floats) -> list[tuple[int, int]]:
    """Return up to three pairs of labels confused more often than at random, by falling confusion.

    At random, an error falls on each label in proportion to its frequency. With two labels, any
    confusion counts.
    """
    labels = len(coincidences)
    first, second = np.triu_indices(labels, 1)
    confused = coincidences[first, second]
    by_chance = np.zeros(len(confused))
    if labels > 2:
        by_chance = np.asarray(chances(coincidences).by_share)[first, second]
    order = np.argsort(-confused, kind="stable")
    often = order[(confused > by_chance)[order] & (confused[order] > 0)][:MOST_PAIRS]
    return [(int(first[pair]), int(second[pair])) for pair in often]


def _items_with_both(tables: Rated, first: int, second: int) -> tuple[NDArray[np.intp], float]:
    """Return up to ten items with ratings of both labels, by falling coincidences of the labels.

    The second value is the weight of all such items.
    """
    codes = tables.exchangeable.codes
    shares = label_shares(tables, sets_as_labels=False)[:, [first, second]]
    ratings_of_label = label_counts(codes, shares)
    # a rating with both labels is no pair of ratings
    within = label_counts(codes, shares.prod(axis=1, keepdims=True))[:, 0]
    ratings = np.maximum((codes >= 0).sum(axis=1) - 1, 1)
    confused = (ratings_of_label.prod(axis=1) - within) / ratings
    of_item = confused[tables.exchangeable_of_items]
    items = np.flatnonzero(of_item > _NEAR)
    return items[np.argsort(-of_item[items], kind="stable")][:MOST], _number(tables, items)


def _number(tables: Rated, items: NDArray[np.intp]) -> float:
    return float(tables.item_weight[items].sum())


def with_cases(table: xr.Dataset, tables: Rated, pairs: Sequence[Cases]) -> xr.Dataset:
    """Add the items of pairs to a result, with their columns in the ratings file.

    Nothing is added if items that are rated alike are stored as one row, which has no name.
    """
    pairs = [pair for pair in pairs if len(pair.items) and tables.are_in_order]
    if not pairs:
        return table
    items = np.concatenate([pair.items for pair in pairs])
    names = [[str(pair.names[side]) for pair in pairs] for side in (0, 1)]
    sizes = [len(pair.items) for pair in pairs]
    columns: dict[str, Values] = {
        "case_a": np.repeat(np.array(names[0], dtype=object), sizes),
        "case_b": np.repeat(np.array(names[1], dtype=object), sizes),
        "case_number": np.repeat([pair.number for pair in pairs], sizes),
        "case_item": tables.item_names[items],
    }
    for name in pairs[0].columns:
        columns[name] = np.concatenate([pair.columns[name] for pair in pairs])
    further = tables.along("item")
    if tables.kind.has_labels:
        columns["case_votes"] = votes_of_items(tables, items)
    elif tables.kind is Kind.SPANS:  # leave out texts, which are whole documents
        further = {name: values for name, values in further.items() if name != "text"}
    coords = {
        f"{OWN}{name}": ("case", np.asarray(values[1])[items])
        for name, values in further.items()
        if name != "item"
    }
    return table.assign({name: ("case", values) for name, values in columns.items()}).assign_coords(
        coords
    )
