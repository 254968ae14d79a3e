"""Sharpening (annotators weight each other) with many settings, to see what depends on them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, TypeAlias

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._checks import check_choice, check_first_share, check_names
from iaa_jax._errors import OptionError
from iaa_jax._types import Columns, Floats, Variables
from iaa_jax.analyses.sharpen import declared
from iaa_jax.analyses.sharpen.alternation import EXCLUDED, checked_numbers, figures_of_items
from iaa_jax.data.kind import Kind
from iaa_jax.data.schema import int_if_whole
from iaa_jax.engine.fits import Tolerance
from iaa_jax.engine.fitted_rows import fit_rows
from iaa_jax.kernels.labelling.masses import ListedMasses
from iaa_jax.kernels.labelling.method import Weights
from iaa_jax.kernels.labelling.over_p import MassesOverP, OverP, Setting
from iaa_jax.kernels.labelling.sharpening import CONCENTRATIONS, LINKS, Sharpening
from iaa_jax.measure import public
from iaa_jax.measure.options.declared import keeps_empty_annotators
from iaa_jax.measure.options.requirements import requires
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.results import provenance_of, result_dataset
from iaa_jax.measure.shared.labelling import VoteTables
from iaa_jax.wording import keyword, named
from iaa_jax.wording.figures import gives

Several: TypeAlias = "float | Sequence[float]"
"""One value of an option, or several values to try."""


@public
@keeps_empty_annotators
@requires(*EXCLUDED)
@gives(declared)
def sharpen_settings(
    ratings: Rated,
    concentration: str | Sequence[str] = CONCENTRATIONS,
    link: str | Sequence[str] = LINKS,
    *,
    p: Several = 1.0,
    epsilon: Several = 0.01,
    omega: Several = 0.01,
    prior_strength: Several = 0.0,
    tol: float = 1e-6,
    max_iter: int = 500,
) -> xr.Dataset:
    """Sharpen with many settings, to see how much weights and labels depend on them.

    Each option takes one value or several values, and all combinations are tried. With several
    values of ``p``, this is a sweep over the share of the primary label.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with labels, as for `iaa_jax.sharpen`.
    concentration, link : str or sequence of str
        As for `iaa_jax.sharpen`; by default all choices.
    p : float or sequence of float
        Shares of the primary label, if ratings have secondary labels.
    epsilon, omega, prior_strength : float or sequence of float
        As for `iaa_jax.sharpen`.
    tol, max_iter
        As for `iaa_jax.sharpen`.

    Returns
    -------
    xarray.Dataset
        Along ``setting``, with the coordinates ``concentration``, ``link``, ``p``, ``epsilon``,
        ``omega`` and ``prior_strength``:

        SETTINGS

        Along ``setting`` and ``annotator``:

        WEIGHTS

        Along ``setting`` and ``item``:

        LABELS

        Along ``annotator``:

        EXTREMES

        Along ``item``:

        STEADY

        The attribute ``conclusion`` is "steady" if all settings give the same labels, otherwise
        "labels_change". ``unsteady_items`` counts the items whose label changes.

    Raises
    ------
    IaaError
        As for `iaa_jax.sharpen`.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> rows = [["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["b", "b", "a"], ["b", "a", "b"]]
    >>> result = iaa.sharpen.settings(iaa.from_wide(rows), prior_strength=[0, 10])
    >>> result.sizes["setting"], result.attrs["conclusion"]
    (12, 'steady')
    """
    resolver = Resolver(ratings)
    concentrations = _names("concentration", concentration, CONCENTRATIONS)
    links = _names("link", link, LINKS)
    shares = _numbers("p", p)
    for share in shares:
        check_first_share("p", share)
    if shares != [1.0] and resolver.tables.kind is not Kind.DOUBLES:
        raise OptionError(
            f"{keyword('p', p)} changes nothing for ratings without secondary labels: leave it out"
        )
    options = {"epsilon": epsilon, "omega": omega, "prior_strength": prior_strength}
    grid = list(product(shares, *(_numbers(name, value) for name, value in options.items())))
    settings = Setting(*np.array([(*each, tol) for each in grid], dtype=np.float64).T)
    for _, floor, least, prior in grid:
        checked_numbers(tol, max_iter, floor, least, prior)
    votes = VoteTables(resolver.tables)
    weights = Weights(*(np.tile(part, (len(grid), 1)) for part in votes.weights))
    parts: dict[str, list[NDArray[Any]]] = {}
    for kind, form in product(concentrations, links):
        sharpening = Sharpening(kind, form, resolver.tables.kind is Kind.SETS)
        blocks = fit_rows(
            OverP(sharpening),
            _over_p(votes),
            [(weights, settings)],
            votes.shares,
            Tolerance(tol, max_iter),
            computing=votes.tables.computing,
        )
        for block in blocks:
            of_block = {
                "annotator_weight": block.state.skill,
                "kappa": block.state.kappa,
                "iterations": block.iterations,
                "status": np.where(block.converged, "converged", "max_iter").astype(object),
                "gold": np.stack(
                    [
                        figures_of_items(votes, probability, sets=sharpening.sets)["gold"]
                        for probability in block.state.probability
                    ]
                ),
            }
            for name, values in of_block.items():
                parts.setdefault(name, []).append(np.asarray(values))
    figures = {name: np.concatenate(values) for name, values in parts.items()}
    variables = _variables(figures, ratings)
    names = ("concentration", "link", "p", *options)
    every = [(kind, form, *each) for kind, form in product(concentrations, links) for each in grid]
    along = {
        name: ("setting", np.array(values, dtype=object if isinstance(values[0], str) else float))
        for name, values in zip(names, zip(*every, strict=True), strict=True)
    }
    unsteady = float(ratings.item_weight[~variables["steady"][1]].sum())
    attrs = {
        **provenance_of(ratings, "sharpen.settings"),
        "tol": tol,
        "max_iter": max_iter,
        "conclusion": "labels_change" if unsteady else "steady",
        "unsteady_items": int_if_whole(unsteady),
    }
    user = ratings.along("item") | ratings.along("annotator")
    coords: Columns = {"setting": np.arange(1, len(every) + 1)}
    return result_dataset(variables, user | along, attrs, coords)


def _variables(figures: Columns, ratings: Rated) -> Variables:
    gold, weight = figures.pop("gold"), figures["annotator_weight"]
    other = gold != gold[0]
    if gold.dtype.kind == "f":  # two NaN, of items without a label, do not differ
        other &= ~(np.isnan(gold) & np.isnan(gold[0]))
    variables: Variables = {
        name: ("setting" if values.ndim == 1 else ("setting", "annotator"), values)
        for name, values in figures.items()
    }
    return variables | {
        "gold": (("setting", "item"), gold),
        "changed_items": ("setting", other @ ratings.item_weight),
        "steady": ("item", ~other.any(axis=0)),
        "lowest_weight": ("annotator", weight.min(axis=0)),
        "highest_weight": ("annotator", weight.max(axis=0)),
    }


def _over_p(votes: VoteTables) -> MassesOverP:
    """Return how much each rating gives to each label, for shares 1 and 1/2 of primary labels."""
    at_one, at_half = (VoteTables(votes.tables.at(p)).masses for p in (1.0, 0.5))
    annotator = at_one.annotator if isinstance(at_one, ListedMasses) else None
    return MassesOverP(at_one.mass, at_half.mass, at_one.rated, annotator)


def _names(option: str, value: str | Sequence[str], choices: Sequence[str]) -> list[str]:
    check_names(option, value)
    names = [value] if isinstance(value, str) else list(value)
    if not names:
        raise OptionError(f"{named(option)} must name one or several of {', '.join(choices)}")
    for name in names:
        check_choice(option, name, choices)
    return names


def _numbers(option: str, value: Several) -> list[float]:
    try:
        numbers: Floats = np.atleast_1d(np.asarray(value, dtype=np.float64))
    except (TypeError, ValueError):
        numbers = np.empty(0)
    if numbers.ndim != 1 or not numbers.size:
        raise OptionError(f"{named(option)} must be a number or several, not {value!r}")
    return [float(number) for number in numbers]
