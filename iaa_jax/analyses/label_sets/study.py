"""Agreement on label sets: by item, by annotator and by label, and which labels are swapped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError
from iaa_jax._types import Values, Variables
from iaa_jax.analyses.label_sets import declared
from iaa_jax.analyses.label_sets.bands import band_shares, histogram
from iaa_jax.analyses.label_sets.users import users_named
from iaa_jax.catalog.labelling import INDEXES
from iaa_jax.engine.drawing import Resampling
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.intervals.coverage import doubts_of, notes_of_doubts
from iaa_jax.measure.options.declared import OneOf
from iaa_jax.measure.options.requirements import Excluded, Intervals, requires
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resampling import resampling_of
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.results import (
    certainty_notes,
    dataset_of,
    notes_about,
    notes_on,
    provenance_of,
    usual_interval,
    variables_of,
    with_doubt,
)
from iaa_jax.measure.shared.expert_coder import index_of_sets
from iaa_jax.measure.shared.full_sample import measure_full_sample
from iaa_jax.measure.shared.label_users import LabelUsers
from iaa_jax.measure.shared.set_pairs import SetPairs, pair_agreement, set_pairs
from iaa_jax.wording import Note, keyword
from iaa_jax.wording.figures import gives

_PAIRED_LABELS = 256
"""Maximum number of labels whose pairs are listed."""

BAND = (0.7, 1.0)
"""The default band of agreement."""

INDEX = INDEXES[0]
"""The default coefficient of the Expert Coder Index."""

FEW_SWAPPED = 3
"""Minimum number of items on which a swap is the only difference, to report a pair of labels."""

_NAMED_PAIRS = 3
"""Maximum number of pairs of labels that are named as most often swapped."""

_COEFFICIENTS = {
    "am_agreement": ("am_agreement", None),
    "krippendorff_alpha_masi": ("krippendorff_alpha", "masi"),
    "krippendorff_alpha_jaccard": ("krippendorff_alpha", "jaccard"),
    "krippendorff_alpha": ("krippendorff_alpha", None),
}


@public
@requires(
    Excluded(
        "spans",
        "the labels of items are compared as sets",
        "iaa_jax.labels shows which labels of spans are confused",
    ),
    Excluded(
        "single labels",
        "label_sets compares ratings with any number of labels",
        f"make them with from_sets, or read them with {keyword('separator')} or "
        f"{keyword('multi_hot')}",
    ),
    Excluded("sets of one label", "pairs of labels are compared", f"give {keyword('labels')}"),
    options=Intervals(),
    coefficient=OneOf(INDEXES),
)
@gives(declared)
def label_sets(
    ratings: Rated,
    *,
    bands: Sequence[tuple[float, float]] = (BAND,),
    coefficient: str = INDEX,
    label_options: LabelOptions = select(LabelOptions, "min_common"),
    options: IntervalOptions = select(IntervalOptions, without=("undefined",)),
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Measure label sets as a whole: coefficients, items, annotators, and pairs of labels.

    Two annotators with k matching labels of C agree on ``k (k - 1) / (C (C - 1))`` of the label
    pairs; joint absence of a label is a match. ``item_agreement`` P_i is the mean of this share
    over the item's pairs of annotators, P_o is the mean of P_i over items, and A_m is P_o corrected
    for chance.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings of task "multi_label": any number of labels per rating.
    bands : sequence of (low, high)
        Ranges of P_i, including both ends; the result has the share of items in each range.
    coefficient : {"percent_agreement", "am_agreement"}
        The Expert Coder Index of an annotator is the mean of this coefficient, P_o or A_m, over the
        other annotators. The coefficient is computed for every two annotators on their common
        items.
    label_options : LabelOptions
    min_common : int
        Number of common items that two annotators must have to be compared.
    options : IntervalOptions
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    xarray.Dataset
        Along ``coefficient``, for A_m and for three forms of Krippendorff's alpha (with MASI
        distance, with Jaccard distance, and with agreement of equal sets only):

        COEFFICIENTS

        Along ``item``; the last three are also along ``label``:

        ITEMS
        BY_LABEL

        Along ``band``, and along ``bin``:

        BANDS
        BINS

        Along ``annotator`` (not for anonymous ratings); the last two are also along ``other``:

        ANNOTATORS

        Along ``annotator`` and ``label``:

        USERS

        The note "label_users" names up to three annotators who give a label at least 1.5 times as
        often as the others, or at most 1/1.5 times as often. Such an annotator has 20 compared
        ratings or more, and the annotator or the others give the label on 8 items or more. The
        difference is significant: p is below .05 after multiplication by the number of labels and
        twice the number of annotators.

        Along ``label_pair``, most disagreement first:

        LABEL_PAIRS

        As a scalar:

        SCALARS

        The ``conclusion`` is about label pairs: "labels_swapped" if a pair is swapped, with no
        other difference, on three or more items, otherwise "no_labels_swapped"; "many_labels" if
        there are too many labels to list their pairs. The note "most_swapped" names up to three
        swapped pairs, those with the largest ``swapped_share``. It leaves out pairs with a
        label that some annotator gives significantly more or less often than the others.

    Raises
    ------
    IaaError
        If the ratings are not label sets or have only one label, or if an option does not apply.

    References
    ----------
    Bhowmick, Basu and Mitra 2008, Coling Workshop on Human Judgements in Computational
    Linguistics, pages 58-65. https://doi.org/10.3115/1611628.1611637

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_sets(
    ...     [[["joy"], ["joy", "hope"]], [["fear"], ["hope"]], [[], ["fear"]], [["hope"], ["hope"]]]
    ... )
    >>> result = iaa.label_sets(ratings, interval=None)
    >>> result.item_agreement.round(3).values
    array([0.333, 0.   , 0.333, 1.   ])
    >>> float(result.band_share[0]), result.first_label.values[0], result.second_label.values[0]
    (0.25, 'fear', 'hope')
    """
    if options.random.draws_annotators:
        random = keyword("annotators", "random")
        raise IaaError(f"bands of items hold for these annotators: leave {random} out")
    _check_bands(bands)
    resolver = Resolver(ratings, label_options)
    tables, labels = resolver.tables, len(ratings.label_names)
    resampling = resampling_of(options.random, tables)
    listed = labels <= _PAIRED_LABELS
    pairs = set_pairs(tables, of_labels=listed)
    names, coefficients, notes = _coefficients(resolver, options, resampling, progress)
    of_bands, on_bands = band_shares(pairs, tables, bands, options, resampling)
    notes += notes_about([("bands", on_bands)])
    variables: Variables = {
        **coefficients,
        **_item_variables(pairs, tables),
        **of_bands,
        **histogram(pairs, tables),
        "floor": ((), np.asarray(pair_agreement(np.array(labels - 2.0), labels))),
    }
    notes += [*_without_majority(variables), *_without_width(variables)]
    conclusion, swapped = "many_labels", []
    if listed:
        variables |= _label_pair_variables(pairs, ratings.label_names, tables, resampling)
        swapped = _swapped(variables)
        conclusion = "labels_swapped" if swapped else "no_labels_swapped"
    else:
        notes.append(Note("pairs_not_listed", {"labels": labels, "most": _PAIRED_LABELS}))
    coords: dict[str, object] = {
        "item": ratings.item_names,
        "label": ratings.label_names,
        "coefficient": names,
    }
    if not resolver.anonymous:
        users = LabelUsers.of(tables)
        variables |= _annotator_variables(pairs, resolver, coefficient, label_options.min_common)
        of_labels = users.figures().items()
        variables |= {name: (("annotator", "label"), values) for name, values in of_labels}
        of_users, named = users_named(users, ratings.annotator_names, ratings.label_names)
        swapped = [row for row in swapped if not named & {*row[:2]}]
        notes += of_users
        coords["annotator"] = ratings.annotator_names
        coords["other"] = ("other", ratings.annotator_names)
    notes += _most_swapped(swapped)
    attrs = {
        **provenance_of(
            ratings,
            "label_sets",
            usual_interval(options, ratings.kind),
            notes,
            resampling.cluster_count,
        ),
        "index": coefficient,
        "min_common": label_options.min_common,
        "conclusion": conclusion,
    }
    return dataset_of(variables, coords, attrs)


def _check_bands(bands: Sequence[tuple[float, float]]) -> None:
    for band in bands:
        if np.shape(band) != (2,) or not 0 <= band[0] <= band[1] <= 1:
            raise IaaError(
                f"a band must be two shares, low and high, between 0 and 1, not {band!r}"
            )


def _coefficients(
    resolver: Resolver,
    options: IntervalOptions,
    resampling: Resampling,
    progress: Callable[[int, int], None] | None,
) -> tuple[list[str], Variables, list[Note]]:
    requests: dict[str, Request] = {}
    notes: list[Note] = []
    for name, (row, distance) in _COEFFICIENTS.items():
        of_sets = LabelOptions(distance=distance)
        try:
            requests[name] = Resolver(resolver.tables, of_sets).request(row)
        except IaaError as error:
            notes.append(Note("not_measured", {"coefficients": [name], "reason": str(error)}))
    names, listed = list(requests), list(requests.values())
    if not listed:
        return names, {}, notes
    figures = measure_full_sample(resolver, listed, options, resampling, progress)
    doubts = doubts_of(resolver.tables, resampling.clusters, listed, figures)
    columns = [
        with_doubt(variables_of(request, figure, options), doubt, request, figure.made_by)
        for request, figure, doubt in zip(listed, figures, doubts, strict=True)
    ]
    values = {name: np.array([column[name] for column in columns]) for name in columns[0]}
    noted = [notes_on(request, figure) for request, figure in zip(listed, figures, strict=True)]
    notes = [
        *notes_of_doubts([*zip(names, doubts, strict=True)]),
        *certainty_notes(names, values, options),
        *notes,
        *notes_about(zip(names, noted, strict=True)),
    ]
    values.pop("doubt")  # notes state the doubts
    return names, {name: ("coefficient", column) for name, column in values.items()}, notes


def _item_variables(pairs: SetPairs, tables: Rated) -> Variables:
    pattern_of = tables.identified.pattern_of
    with np.errstate(invalid="ignore"):
        # shares are ratios of whole numbers, so half is exactly .5
        majority, tied = pairs.votes > 0.5, pairs.votes == 0.5
    rated = pairs.panel > 0
    by_pattern = {
        "item_agreement": pairs.agreement,
        "item_ratings": pairs.panel,
        "single_label": pairs.single,
        "no_majority": rated & ~majority.any(axis=1),
        "majority_empty": rated & (pairs.empty > 0.5),
    }
    by_label = {"votes": pairs.votes, "majority": majority, "tied": tied}
    return {
        **{name: ("item", figure[pattern_of]) for name, figure in by_pattern.items()},
        **{name: (("item", "label"), figure[pattern_of]) for name, figure in by_label.items()},
    }


def _without_width(variables: Variables) -> Iterator[Note]:
    """Yield a note on bands whose interval has no width, for instance because they are empty."""
    low, high = (variables[f"band_ci_{end}"][1] for end in ("low", "high"))
    bands = [variables[f"band_{end}"][1][low == high].tolist() for end in ("low", "high")]
    if bands[0]:
        ends = [Note("band", {"low": a, "high": b}) for a, b in zip(*bands, strict=True)]
        yield Note("bands_without_width", {"bands": ends}, "caution")


def _without_majority(variables: Variables) -> list[Note]:
    without = variables["no_majority"][1]
    empty = without & variables["majority_empty"][1]
    if not without.any():
        return []
    code = "none_is_every_answer" if (empty == without).all() else "none_is_the_answer"
    none = Note(code, {"items": int(empty.sum())}) if empty.any() else ""
    return [Note("without_majority", {"items": int(without.sum()), "none": none})]


def _annotator_variables(
    pairs: SetPairs, resolver: Resolver, index: str, min_common: int
) -> Variables:
    indexes = index_of_sets(pairs, resolver.tables, index, min_common)
    return {
        "expert_coder_index": ("annotator", indexes.value),
        "compared_annotators": ("annotator", indexes.others),
        "pair_agreement": (("annotator", "other"), indexes.of_pairs),
        "pair_items": (("annotator", "other"), pairs.shared),
    }


def _label_pair_variables(
    pairs: SetPairs, labels: Values, tables: Rated, resampling: Resampling
) -> Variables:
    first, second = np.array(list(combinations(range(len(labels)), 2)), dtype=np.intp).T
    items, rated = pairs.items, float(tables.identified_table.items)
    agreeing = pairs.agreeing[first, second] / items if items else np.full(len(first), np.nan)
    error = np.full(len(first), np.nan)
    by_items = resampling.clusters is None and not resampling.annotators
    if items > 1 and by_items:  # clusters and random annotators need other sums
        variance = np.maximum(pairs.squares[first, second] / items - agreeing**2, 0.0)
        # scaled to all items, because some may have no pair of ratings
        error = np.sqrt(variance / items * rated / (rated - 1)) * resampling.spread
    swapped, either = pairs.swapped[first, second], pairs.either[first, second]
    disagreement = 1 - agreeing
    # pairs with equal disagreement, up to rounding, are in order of swaps, and then of labels
    order = np.lexsort((np.arange(len(first)), -swapped, -disagreement.round(12)))
    share = np.divide(swapped, either, where=either > 0, out=np.full(len(first), np.nan))
    columns = {
        "first_label": labels[first],
        "second_label": labels[second],
        "pair_disagreement": disagreement,
        "pair_standard_error": error,
        "swapped_items": pairs.swapped_items[first, second],
        "swapped_alone_items": pairs.alone_items[first, second],
        "swapped_pairs": swapped,
        "swapped_share": share,
    }
    return {name: ("label_pair", column[order]) for name, column in columns.items()}


_Swapped = tuple[str, str, float, float, float]
"""Two labels, the share of swaps, and the numbers of items with a swap and with only a swap."""


def _swapped(variables: Variables) -> list[_Swapped]:
    names = ("first_label", "second_label", "swapped_share", "swapped_items", "swapped_alone_items")
    rows = list(zip(*(variables[name][1].tolist() for name in names), strict=True))
    return sorted((row for row in rows if row[4] >= FEW_SWAPPED), key=lambda row: -row[2])


def _most_swapped(rows: Sequence[_Swapped]) -> list[Note]:
    pairs = []
    for a, b, share, items, alone in rows[:_NAMED_PAIRS]:
        only = Note("swapped_alone", {"items": alone}) if alone < items else ""
        values = {"first": str(a), "second": str(b), "share": share, "items": items, "alone": only}
        pairs.append(Note("swapped_pair", values))
    equal = sum(row[2] == rows[_NAMED_PAIRS - 1][2] for row in rows[_NAMED_PAIRS:])
    values = {"pairs": pairs, "equal": Note("swapped_equally", {"equal": equal}) if equal else ""}
    return [Note("most_swapped", values)] if pairs else []
