"""Measure agreement on each label separately, as present or absent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import xarray as xr

from iaa_jax._types import Values
from iaa_jax.analyses.label_sets import declared
from iaa_jax.data.kind import Kind
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.options.requirements import Excluded, Intervals, requires
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import CoefficientLike
from iaa_jax.measure.results import dataset_of, provenance_of, usual_interval
from iaa_jax.measure.shared.lowest_label import lowest_label
from iaa_jax.measure.shared.presence import Presence, presence_of_labels
from iaa_jax.wording import Note
from iaa_jax.wording.figures import gives

DEFAULT = ("krippendorff_alpha", "specific_agreement", "percent_agreement")
"""Coefficients that are measured on each label by default."""


_PRESENT = "labels are measured as present or absent on items"
_OTHERWISE = "use single labels or label sets (from_sets)"


@public
@requires(
    Excluded("spans", _PRESENT, "iaa_jax.labels measures each label"),
    *(
        Excluded(kind, _PRESENT, _OTHERWISE)
        for kind in ("numbers", "shares of labels", "secondary labels")
    ),
    options=Intervals(),
)
@gives(declared)
def per_label(
    ratings: Rated,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    label_options: LabelOptions = select(LabelOptions, "min_common"),
    options: IntervalOptions = select(IntervalOptions, without=("undefined",)),
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Measure agreement on each label separately, as present or absent in a rating.

    In a label set, a label is present or absent; a single label is chosen or not. A rating without
    the label counts as "absent", a missing rating as missing. Each label is therefore a question
    with two answers, and posteriors use the prior for two labels. Specific agreement of single
    labels equals `iaa_jax.specific_agreement`.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings of task "multi_label" or "single".
    coefficients : str, callable or sequence of them, optional
        Names from the catalogue, or functions with the signature of those in `iaa_jax.kernels`. By
        default Krippendorff's alpha, specific agreement and percent agreement. Specific agreement
        is on presence: how often another annotator gives the label if one annotator gave it.
    label_options : LabelOptions
    options : IntervalOptions
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    xarray.Dataset
        Along ``label`` and ``coefficient``:

        COEFFICIENTS

        Along ``label``:

        LABELS

        The ``conclusion`` is "measured"; "perfect" if annotators never disagree, "estimated"
        without intervals, "undefined" if no estimate is defined. ``lowest_label`` and its
        attributes are as in `iaa_jax.labels`, by specific agreement or, without it, by the first
        coefficient. These attributes are absent if no label stands out.

    Raises
    ------
    IaaError
        If the ratings are spans, numbers or shares, or have secondary labels, or an option does not
        apply.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_sets(
    ...     [[["joy"], ["joy", "hope"]], [["fear"], ["fear"]], [[], ["fear"]], [["hope"], ["hope"]]]
    ... )
    >>> result = iaa.per_label(ratings, "krippendorff_alpha", interval=None)
    >>> result.estimate.squeeze().round(3).to_series().to_dict()
    {'fear': 0.533, 'hope': 0.533, 'joy': 1.0}
    >>> result.prevalence.values
    array([0.375, 0.375, 0.25 ])
    """
    named = DEFAULT if coefficients is None else coefficients
    presence = presence_of_labels(ratings, named, label_options, options, progress)
    notes = [*presence.notes, *(Note(code) for code in _no_sets(ratings))]
    interval = usual_interval(options, ratings.kind)
    attrs = {
        **provenance_of(ratings, "per_label", interval, notes, presence.clusters),
        "conclusion": presence.conclusion,
        **_lowest(ratings.label_names, presence),
    }
    coords = {"label": ratings.label_names, "coefficient": presence.coefficients}
    return dataset_of(presence.variables, coords, attrs)


def _no_sets(ratings: Rated) -> Iterator[str]:
    if ratings.kind is not Kind.SETS:
        yield "one_label_each"
    elif len(ratings.label_names) < 2:
        yield "one_label"


def _lowest(names: Values, presence: Presence) -> dict[str, object]:
    named = presence.coefficients
    column = named.index("specific_agreement") if "specific_agreement" in named else 0
    agreement, errors = (
        presence.variables[name][1][:, column] for name in ("estimate", "standard_error")
    )
    count = presence.variables["present_ratings"][1]
    concluded = lowest_label(names, agreement, errors, count, presence.doubt[:, column])
    return concluded if concluded.pop("conclusion") == "disputed" else {}
