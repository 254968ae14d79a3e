"""Compare methods of gold labels: where their labels differ, and how often each is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._checks import check_choice, check_names
from iaa_jax._errors import IaaError, OptionError
from iaa_jax._types import Columns, Floats, Values, Variables
from iaa_jax.analyses.gold import declared
from iaa_jax.analyses.gold.conclusion import UNSURE, weighted_mean
from iaa_jax.analyses.gold.refusals import EXCLUDED, check_gold, misfit
from iaa_jax.analyses.gold.sets import decide_sets
from iaa_jax.catalog.labelling import INDEXES, METHODS
from iaa_jax.data.kind import Kind
from iaa_jax.data.schema import ints_if_whole
from iaa_jax.engine.fits import Tolerance
from iaa_jax.measure import public
from iaa_jax.measure.options.declared import Share, keeps_empty_annotators
from iaa_jax.measure.options.requirements import requires
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.results import provenance_of, result_dataset
from iaa_jax.measure.shared.controls import Control, is_missing, labels_by_item
from iaa_jax.measure.shared.decisions import decide
from iaa_jax.measure.shared.labelling import VoteTables
from iaa_jax.measure.shared.votes_by_item import given_labels
from iaa_jax.wording import Note, named
from iaa_jax.wording.figures import gives

_TOLERANCE = 1e-6
"""Convergence tolerance of iterative methods, as in `iaa_jax.gold`."""


@public
@keeps_empty_annotators
@requires(*EXCLUDED, p=Share(of_first=True))
@gives(declared)
def gold_methods(
    ratings: Rated,
    methods: Sequence[str] | None = None,
    *,
    gold: str | Mapping[object, object] | None = None,
    p: float = 1.0,
) -> xr.Dataset:
    """Compare gold labels by several methods: where they differ, and which are right.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with labels, as the constructors and `iaa_jax.read` return them.
    methods : sequence of str, optional
        Two or more methods of `iaa_jax.gold`; by default all that fit the ratings. The first method
        is compared with the others.
    gold : str or mapping, optional
        Known labels: the name of a coordinate of items (a column that was kept), or labels by item.
        Items without a known label do not count in ``right``.
    p : float
        The share of the primary label, if ratings have a secondary one.

    Returns
    -------
    xarray.Dataset
        Along ``method``:

        OF_METHODS

        Along ``method`` and ``other``:

        SAME

        Along ``item`` and ``method``:

        BY_METHOD

        Along ``item``:

        COMPARED

        The attribute ``conclusion`` is "methods_agree" or "methods_differ". ``differing_items`` is
        the number of items on which methods differ, and ``truth_items`` the number of items with a
        known label.

    Raises
    ------
    IaaError
        If a method is unknown or does not fit the ratings, if only one method is named, or if no
        known label occurs in the ratings.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> rows = [["a", "a", "b"], ["b", "b", "b"], ["a", "b", None], ["a", "a", "a"]]
    >>> result = iaa.gold.methods(iaa.from_wide(rows), ["majority", "expert_coder_index"])
    >>> result.changed_items.values, result.by_label.values[2]
    (array([0, 0]), 'a: majority, expert_coder_index')
    """
    names = _names(ratings, methods, p)
    tables = ratings.with_votes() if all(METHODS[name].votes for name in names) else ratings
    tables = tables.at(p)
    of_item = tables.identified.pattern_of
    decisions = {name: _decided(tables, name) for name in names}
    decided = np.stack([_text(columns["gold"])[of_item] for columns in decisions.values()], axis=1)
    weight = tables.item_weight
    known = known_labels(ratings, gold)
    variables: Variables = {
        **_method_figures(decisions, decided, known, weight, tables),
        "same": (("method", "other"), _same(decided, weight)),
        "gold": (("item", "method"), decided),
        **_choices_by_item(decided, names),
        "votes": ("item", tables.identified.panel[of_item]),
        "votes_by_label": given_labels(tables)["votes_by_label"],
        "known_label": ("item", known),
    }
    differ = variables["choices"][1] > 1
    attrs = {
        **provenance_of(ratings, "gold.methods", notes=_left_out(ratings, methods)),
        "gold": gold if isinstance(gold, str) else "",
        "conclusion": "methods_differ" if differ.any() else "methods_agree",
        "differing_items": float(weight[differ].sum()),
        "truth_items": float(weight[known != ""].sum()),
    }
    coords: Columns = {"method": np.array(names, dtype=object)}
    coords["other"] = coords["method"]
    return result_dataset(variables, ratings.along("item"), attrs, coords)


def _names(ratings: Rated, methods: Sequence[str] | None, p: float) -> list[str]:
    if methods is None:
        check_gold(ratings, next(iter(METHODS)), p, INDEXES[0])
        return [name for name, row in METHODS.items() if not misfit(ratings, row)]
    check_names("methods", methods)
    names = [methods] if isinstance(methods, str) else list(dict.fromkeys(methods))
    for name in names:
        check_choice("methods", name, METHODS)
        check_gold(ratings, name, p, INDEXES[0])
    if len(names) < 2:
        raise OptionError(
            f"{named('methods')} must name two or more of {', '.join(METHODS)}, to compare"
        )
    return names


def _left_out(ratings: Rated, methods: object) -> list[Note]:
    if methods is not None:
        return []
    names = [name for name, row in METHODS.items() if misfit(ratings, row)]
    return [Note("methods_left_out", {"names": names})] if names else []


def _decided(tables: Rated, name: str) -> Columns:
    """Return a method's decisions for each pattern (distinct row of ratings)."""
    row = METHODS[name]
    if tables.kind is Kind.SETS:
        columns, _ = decide_sets(tables, row, "first", INDEXES[0])
        return columns
    votes = VoteTables(tables)
    fit = votes.fit(row, Tolerance(_TOLERANCE, row.steps))
    voted = tables.identified.panel > 0
    labels = tables.label_names
    shares = votes.shares if row.strict else None
    return decide(np.asarray(fit.state.probability), voted, labels, "first", shares)


def _text(labels: Values) -> Values:
    return np.array(["" if label != label else str(label) for label in labels], dtype=object)


def _method_figures(
    decisions: Mapping[str, Columns], gold: Values, known: Values, weight: Floats, tables: Rated
) -> Variables:
    of_item = tables.identified.pattern_of
    labels = [str(label) for label in tables.label_names.tolist()]
    figures: dict[str, list[float]] = {}
    ratings = (tables.identified.codes >= 0).sum(axis=1)[of_item]
    for index, (name, columns) in enumerate(decisions.items()):
        certainty = columns["certainty"][of_item]
        voted = ~np.isnan(certainty)
        sure = voted & (METHODS[name].modelled | (ratings > 1))
        row = {
            "gold_items": weight[gold[:, index] != ""].sum(),
            "changed_items": weight[gold[:, index] != gold[:, 0]].sum(),
            "tied_items": weight[columns["tied"][of_item]].sum(),
            "unsure_items": weight[voted & (certainty < UNSURE - 1e-9)].sum(),
            "mean_certainty": weighted_mean(certainty[sure], weight[sure]),
            "right": _right(columns, gold[:, index], known, weight, labels, of_item),
        }
        for name, figure in row.items():
            figures.setdefault(name, []).append(float(figure))
    return {name: ("method", ints_if_whole(np.array(values))) for name, values in figures.items()}


def _right(
    columns: Columns,
    gold: Values,
    known: Values,
    weight: Floats,
    labels: list[str],
    of_item: NDArray[np.intp],
) -> float:
    """Return the share of known labels that the method gives; tied labels share the credit."""
    rows = np.flatnonzero(known != "")
    if not len(rows):
        return np.nan
    if "holds" in columns:
        return float(np.average(gold[rows] == known[rows], weights=weight[rows]))
    winner = columns["winner"][of_item[rows]]
    true = np.array([labels.index(label) if label in labels else -1 for label in known[rows]])
    credit = np.where(true >= 0, winner[np.arange(len(rows)), true], False)
    return float(np.average(credit / np.maximum(winner.sum(axis=1), 1), weights=weight[rows]))


def _same(gold: Values, weight: Floats) -> Floats:
    """Return, for each pair of methods, the share of items to which both give the same label.

    Items to which no method gives a label do not count.
    """
    has_gold = (gold != "").any(axis=1)
    rows, weights = gold[has_gold], weight[has_gold]
    methods = range(gold.shape[1])
    same = [[weights[rows[:, a] == rows[:, b]].sum() for b in methods] for a in methods]
    shares: Floats = np.array(same) / weights.sum()
    return shares


def _choices_by_item(gold: Values, names: Sequence[str]) -> Variables:
    lines: dict[tuple[str, ...], tuple[int, str]] = {}
    choices, texts = [], []
    for row in map(tuple, gold.tolist()):
        if row not in lines:
            by_label: dict[str, list[str]] = {}
            for name, label in zip(names, row, strict=True):
                by_label.setdefault(label, []).append(name)
            parts = sorted(by_label.items(), key=lambda part: -len(part[1]))
            text = "; ".join(f"{label}: {', '.join(by)}" for label, by in parts if label)
            lines[row] = len([label for label in by_label if label]), text
        choices.append(lines[row][0])
        texts.append(lines[row][1])
    return {
        "choices": ("item", np.array(choices)),
        "by_label": ("item", np.array(texts, dtype=object)),
    }


def known_labels(ratings: Rated, gold: Control) -> Values:
    """Return the known label of each item as text; "" if there is none."""
    if gold is None:
        return np.full(ratings.items, "", dtype=object)
    values = labels_by_item(ratings, gold, "gold")
    labels = ratings.label_names
    known = [_as_label(value, labels) for value in values]
    if not set(known) & {str(label) for label in labels.tolist()}:
        raise IaaError(
            f"{named('gold')} has none of the labels of the ratings on any of their items"
        )
    return np.array(known, dtype=object)


def _as_label(value: object, labels: Values) -> str:
    """Return a known label in the format of gold labels: 1.0 and "1" are the label 1."""
    if is_missing(value):
        return ""
    if labels.dtype.kind in "iuf":
        try:
            number = float(str(value))
        except ValueError:
            return str(value)
        return next((str(label) for label in labels.tolist() if label == number), str(value))
    return str(value)
