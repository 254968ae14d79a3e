"""Each label as a binary problem of its own: present or absent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError
from iaa_jax.catalog import Measure
from iaa_jax.data.schema import validate
from iaa_jax.engine import Problem
from iaa_jax.engine.problem import Floats, Integers
from iaa_jax.kernels import counts
from iaa_jax.kernels.agreement import Agreement, evaluate
from iaa_jax.kernels.namespace import namespace
from iaa_jax.measure.interval import IntervalLike, IntervalOptions
from iaa_jax.measure.label_options import LabelOptions
from iaa_jax.measure.request import CoefficientLike, Request, Resolver, names_of_request
from iaa_jax.measure.results import provenance_of, variables_of
from iaa_jax.measure.sampling import Sampling, resampling_of
from iaa_jax.measure.tables import RatingTables
from iaa_jax.measure.uncertainty import as_sampled, measured

DEFAULT = ("krippendorff_alpha", "specific_agreement", "percent_agreement")
"""What is measured on each label unless something else is asked for."""

_TOGETHER = 96
"""Figures that are compiled together."""

_PRESENT = 1


def per_label(
    ratings: xr.Dataset,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    min_common: int = 2,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Coefficients of each label alone: did the annotator give it, or not.

    Of label sets, a label is present in a rating or absent; of single labels, it is the one chosen
    or not. A rating that does not hold the label counts as "absent", a missing one as missing.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings of task "multi_label" or "single".
    coefficients : str, callable or sequence of them, optional
        Names from the catalogue, or functions of the kernels' shape. By default Krippendorff's
        alpha, the specific agreement, and percent agreement. Specific agreement is that of
        presence: how often another annotator gives the label to an item that one gave it to.
    min_common, interval, confidence, replicates, seed
        See `iaa_jax.agreement`. All labels are worked out on the same replicates of items.
    progress : callable, optional
        Called with the replicates done and their number.

    Returns
    -------
    xarray.Dataset
        The variables of `iaa_jax.agreement` along (``label``, ``coefficient``), and along
        ``label`` the ``prevalence`` (mean over items of the share of their ratings that give the
        label), ``prevalence_standard_error``, ``prevalence_ci_low`` and ``prevalence_ci_high``,
        ``present_ratings``, and ``present_items`` with the label in one rating at least.

    Raises
    ------
    IaaError
        If the ratings are numbers, shares, or have a secondary label, or an option does not fit.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_sets(
    ...     [[["joy"], ["joy", "hope"]], [["fear"], ["fear"]], [[], ["fear"]], [["hope"], ["hope"]]]
    ... )
    >>> found = iaa.per_label(ratings, "krippendorff_alpha", interval=None)
    >>> found.estimate.squeeze().round(3).to_series().to_dict()
    {'fear': 0.533, 'hope': 0.533, 'joy': 1.0}
    >>> found.prevalence.values
    array([0.375, 0.375, 0.25 ])
    """
    validate(ratings)
    options = IntervalOptions(interval, confidence, replicates, seed, sampling=sampling)
    options.check()
    whole = _tables(ratings)
    views = [_View(ratings, whole, place) for place in range(ratings.sizes["label"])]
    resolvers = [
        Resolver(view.ratings, LabelOptions(), 1.0, {"min_common": min_common}, tables=view)
        for view in views
    ]
    names = names_of_request(DEFAULT if coefficients is None else coefficients, resolvers[0])
    _refuse_sets(names)
    pairable = whole.totals["pairable_items"]
    requests = [
        as_sampled(
            [_prevalence(view), *(resolver.request(name) for name in names)], resolver, options
        )
        for view, resolver in zip(views, resolvers, strict=True)
    ]
    resampling = resampling_of(options.random, ratings, whole)
    width = len(requests[0])
    labels_at_once = max(1, _TOGETHER // width)
    columns: list[dict[str, Any]] = []
    for start in range(0, len(requests), labels_at_once):
        group = [one for of_label in requests[start : start + labels_at_once] for one in of_label]
        figures = measured(group, options, pairable, progress, resampling)
        columns += [
            variables_of(one, figure, "nan", options.method)
            for one, figure in zip(group, figures, strict=True)
        ]
    shape = (len(views), width)

    def laid_out(name: str) -> Any:
        parts = [_of_presence(column[name]) for column in columns]
        return np.array(parts).reshape(shape)

    variables: dict[str, Any] = {
        name: (("label", "coefficient"), laid_out(name)[:, 1:]) for name in columns[0]
    }
    for name in ("", "standard_error", "ci_low", "ci_high"):
        variables["_".join(filter(None, ("prevalence", name)))] = (
            "label",
            laid_out(name or "estimate")[:, 0],
        )
    variables["present_ratings"] = ("label", [view.present_ratings() for view in views])
    variables["present_items"] = ("label", [view.present_items() for view in views])
    coords = {
        "label": ratings.label.values,
        "coefficient": [one.name for one in requests[0][1:]],
    }
    attrs = provenance_of(ratings, "per_label", options)
    return xr.Dataset(variables, coords, attrs)


class _View(RatingTables):
    """The tables of all labels' ratings, seen as presence and absence of one label."""

    def __init__(self, ratings: xr.Dataset, whole: RatingTables, place: int) -> None:
        view = xr.Dataset(
            coords={"annotator": ratings.annotator, "label": ["absent", "present"]},
            attrs={**ratings.attrs, "task": "single", "labels_ordered": 0},
        )
        super().__init__(view, 1.0)
        self._whole = whole
        own = np.eye(ratings.sizes["label"])[:, place]
        self._presence = own if whole.task == "single" else whole.distinct_masses[:, place]
        # patterns of the whole sets, so that all labels share their replicates
        self.__dict__["codes"] = whole.codes
        for name in ("identified", "exchangeable", "identified_table", "exchangeable_table"):
            self.__dict__[name] = getattr(whole, name)

    def present_ratings(self) -> float:
        """Ratings with the label, in their weights."""
        return float(self._present(self.exchangeable.codes).sum(axis=1) @ self.exchangeable.count)

    def present_items(self) -> float:
        """Items with the label in one rating at least."""
        return float(self._present(self.exchangeable.codes).any(axis=1) @ self.exchangeable.count)

    def _present(self, codes: Integers) -> Floats:
        return np.append(self._presence, 0.0)[codes]

    def _mass(self, codes: Integers) -> Floats:
        present = np.append(self._presence, np.nan)[codes]
        return np.stack([1 - present, present], axis=-1)


def _tables(ratings: xr.Dataset) -> RatingTables:
    task = ratings.attrs["task"]
    if task not in ("multi_label", "single"):
        what = {"value": "numbers without labels", "soft": "shares of labels"}.get(
            task, "a primary and a secondary label each"
        )
        message = (
            f"binary asks of each label whether a rating holds it, and these ratings are {what}: "
            "use label sets (from_sets) or single labels"
        )
        raise IaaError(message)
    return RatingTables(ratings, 1.0)


def _refuse_sets(names: Sequence[CoefficientLike]) -> None:
    if "am_agreement" in names:
        message = "am_agreement compares pairs of labels: on one label alone use krippendorff_alpha"
        raise IaaError(message)


def _prevalence(view: _View) -> Request:
    """The share of a label as a figure like any other, with its interval."""
    measure = Measure(_prevalence_kernel, counts.rating_statistics, _prevalence_formula)
    return Request(
        "prevalence", None, Problem(measure, view.table(measure), view.mass(measure)), ""
    )


def _prevalence_formula(
    sums: counts.RatingStatistics, annotator_weight: Any, disagreement: Any
) -> Agreement:
    del annotator_weight, disagreement
    xp = namespace(sums.proportions)
    share = counts.label_proportions(xp, sums)[_PRESENT]
    nan = xp.asarray(xp.nan, dtype=share.dtype)
    return Agreement(share, nan, nan, xp.asarray(0, dtype=xp.int32))


def _prevalence_kernel(
    mass: Any,
    *,
    item_weight: Any = None,
    annotator_weight: Any = None,
    label_agreement: Any = None,
    annotator_of: Any = None,
) -> Agreement:
    given = (item_weight, annotator_weight, label_agreement, annotator_of)
    return evaluate(counts.rating_statistics, _prevalence_formula, mass, *given)


def _of_presence(figure: Any) -> Any:
    """Of a figure a label, that of the label's presence."""
    return figure[_PRESENT] if np.ndim(figure) else np.asarray(figure)[()]
