"""The coefficient with a spammer, an echo or an expert in the place of an annotator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike, NDArray

from iaa_jax._checks import MOST_DRAWS
from iaa_jax._errors import IaaError, shown
from iaa_jax._types import Floats, Integers, Variables
from iaa_jax.analyses.panels import declared
from iaa_jax.analyses.panels.subsets import ROUNDING, PanelRequest, panel_request
from iaa_jax.data.kind import Kind
from iaa_jax.engine.drawing import Purpose, stream
from iaa_jax.engine.replaced import replaced_estimates
from iaa_jax.engine.rows import Progress
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.options.declared import Whole, keeps_empty_annotators
from iaa_jax.measure.options.requirements import Excluded, requires
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.level import without_verdict
from iaa_jax.measure.requests.resolver import CoefficientLike
from iaa_jax.measure.requests.studies import data_of_codes
from iaa_jax.measure.results import provenance_of_figures, result_dataset
from iaa_jax.wording import Note
from iaa_jax.wording.figures import gives

_NEAR = 1e-9
"""If the coefficient with an expert exceeds the coefficient with a spammer by no more than this,
the annotator's position between the two is undefined."""


@public
@keeps_empty_annotators
@requires(
    Excluded("spans", "a replacement rates items anew", "use iaa_jax.annotators"),
    Excluded("counts without annotators", "who is replaced must be known"),
    Excluded("one annotator", "a replacement is compared with others"),
    Excluded("crowds", "annotators are replaced one by one", "name some with keep_annotators"),
    draws=Whole(1, MOST_DRAWS),
)
@gives(declared)
def panels_what_if(
    ratings: Rated,
    coefficient: CoefficientLike | None = None,
    *,
    annotators: Sequence[object] | None = None,
    gold: ArrayLike | None = None,
    draws: int = 200,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions, "seed", "device"),
    progress: Progress | None = None,
) -> xr.Dataset:
    """Compute the coefficient with a spammer, echo or expert in place of each annotator.

    Each of the three rates exactly the items that the annotator rated; all other ratings stay. A
    *spammer* draws each rating from all ratings of the panel, regardless of the item. An *echo*
    copies another annotator on the items that both rated. An *expert* gives the gold label, or,
    without one, the most frequent label of the others (for numbers, their lower median). Of equally
    frequent labels, the annotator's own label is taken if it is among them, and otherwise the
    first. If nobody else rated an item, the annotator's own rating stays.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` return them; neither spans nor ratings of a
        crowd (hundreds of annotators, a few of them per item).
    coefficient : str or callable, optional
        The name of a coefficient with a single estimate, or a function with the signature of those
        in `iaa_jax.kernels`; Krippendorff's alpha by default.
    annotators : sequence, optional
        The annotators to replace, one at a time; all of them by default.
    gold : array (item,), optional
        The labels of the expert, which must be labels of the ratings; "" and NaN mark items without
        a gold label.
    draws : int
        Number of spammers for each annotator.
    label_options : LabelOptions
    options : IntervalOptions
    progress : callable, optional
        Called with the number of finished replacements and their total.

    Returns
    -------
    xarray.Dataset
        Along ``annotator``:

        REPLACED

        ``position`` measures agreement with this panel, so it is also low for an annotator who is
        right where the others are wrong. ``estimate`` is the coefficient of the observed ratings.

        The attribute ``conclusion`` is "undefined" if ``estimate`` is undefined, and otherwise
        "replaced". ``nearest_annotators`` counts the annotators with the lowest position, who are
        nearest to a spammer.

    Raises
    ------
    IaaError
        If annotators are unknown, or an option does not fit the ratings.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> rows = [["a", "a", "a"], ["b", "b", "a"], ["a", "a", "b"], ["b", "b", "b"]] * 10
    >>> result = iaa.panels.what_if(iaa.from_wide(rows))
    >>> float(result.estimate.round(2)), result.with_expert.round(2).values
    (0.34, array([0.34, 0.34, 1.  ]))
    >>> result.position.round(1).values
    array([1., 1., 0.])
    """
    study = panel_request(ratings, coefficient, label_options)
    names = ratings.annotator_names
    replaced = _indices(annotators, names)
    table = _CodedTable(study, ratings, gold)
    rows = _all_replaced(table, replaced, draws, options.seed)
    codes, total = table.codes[table.place], 1 + len(replaced) * (len(names) + draws)
    values = replaced_estimates(study.problem, table.cells, codes, rows, total, progress)
    estimate = float(values[0])
    figures = _figures(values[1:].reshape(len(replaced), -1), replaced, len(names))
    difference = figures["with_expert"] - figures["with_spammer"]
    above_spammer = estimate - figures["with_spammer"]
    with np.errstate(invalid="ignore", divide="ignore"):
        position = np.where(difference > _NEAR, above_spammer / difference, np.nan)
    variables: Variables = {"estimate": ((), np.asarray(estimate))}
    variables |= {name: ("annotator", figure) for name, figure in figures.items()}
    variables["position"] = ("annotator", position)
    least = np.nanmin(position[replaced], initial=np.inf)
    attrs = {
        **provenance_of_figures(
            study.resolver, "panels.what_if", [study.request], notes=_notes(table)
        ),
        "coefficient": study.request.name,
        "weights": study.request.used,
        "draws": draws,
        "seed": options.seed,
        "expert": "majority" if gold is None else "gold",
        "conclusion": "undefined" if np.isnan(estimate) else "replaced",
        "nearest_annotators": int(np.sum(position[replaced] < least + ROUNDING)),
    }
    result = result_dataset(variables, ratings.along("annotator"), attrs)
    return without_verdict(result.isel(annotator=replaced))


class _ReplacedRatings(NamedTuple):
    """Ratings that replace an annotator's, and their weights: one for each row of `_CodedTable`."""

    annotator: int
    codes: Integers  # (row,)
    weight: Floats  # (row,)


class _CodedTable:
    """The ratings as codes, and for each code the data from which the coefficient is computed.

    Items with the same ratings form a pattern. A pattern of few items has a row for each item. A
    pattern of many items has a row for each code, and the number of items to which a spammer gives
    this code is drawn in one step.
    """

    def __init__(self, study: PanelRequest, ratings: Rated, gold: ArrayLike | None) -> None:
        tables, problem = study.resolver.tables, study.problem
        self.numbers = tables.kind is Kind.NUMBERS
        self._numbers = tables.distinct_numbers if self.numbers else None
        self.distinct = tables.codes.distinct
        self.cells = data_of_codes(tables, problem)(np.arange(self.distinct))
        weight = tables.item_weight
        experts = np.full(len(weight), -1) if gold is None else _gold_codes(ratings, gold)
        patterns = tables.identified.split_by(experts + 1, weight)
        codes, count, first = patterns.codes, patterns.count, patterns.first
        whole = np.array_equal(weight, np.rint(weight))
        if not whole:  # fractional weights keep a row for each item
            codes, count, first = codes[patterns.pattern_of], weight, np.arange(len(weight))
        self.codes: Integers = codes.astype(np.int32)
        self.gold = experts[first]
        count = np.where((codes >= 0).any(axis=1), count, 0.0)
        many = whole & (count > self.distinct)
        times = np.where(many, self.distinct, count if whole else count > 0).astype(np.intp)
        self.place = np.repeat(np.arange(len(count)), times)
        self.of_many = many[self.place]
        self.many = count[many].astype(np.int64)
        self.weight = (np.ones_like(count) if whole else count)[self.place]
        self.weight[self.of_many] = 0.0
        self.weight[(np.cumsum(times) - times)[many]] = count[many]
        given, counted = self.codes >= 0, np.broadcast_to(count[:, None], codes.shape)
        shares = np.bincount(self.codes[given], counted[given], self.distinct)
        self.shares = shares / shares.sum()
        # draws do not depend on the order of annotators and codes in the data
        order = tables.drawing_order
        numbered = np.arange(codes.shape[1])
        self.turn_of = numbered if order.annotators is None else order.annotators
        all_codes = np.arange(self.distinct)
        self.in_turn = all_codes if order.codes is None else np.argsort(order.codes)

    def spammer(self, random: np.random.Generator) -> tuple[Integers, Floats]:
        """Return a rating for each row, drawn from all ratings, and the weights of the rows."""
        shares = self.shares[self.in_turn]
        codes = self.in_turn[random.choice(self.distinct, size=len(self.place), p=shares)]
        weight = self.weight.copy()
        codes[self.of_many] = np.tile(self.in_turn, len(self.many))
        weight[self.of_many] = random.multinomial(self.many, shares).ravel()
        return codes, weight

    def expert(self, annotator: int) -> Integers:
        """Return the most frequent label of the others, or for numbers their lower median."""
        own = self.codes[:, annotator]
        others = np.delete(self.codes, annotator, axis=1)
        if self._numbers is not None:
            value = np.where(others >= 0, self._numbers[others], np.inf)
            order = np.argsort(value, axis=1, kind="stable")
            middle = np.maximum((others >= 0).sum(axis=1) - 1, 0) // 2
            place = np.take_along_axis(order, middle[:, None], axis=1)
            median = np.take_along_axis(others, place, axis=1)[:, 0]
            return np.where(median >= 0, median, own)
        # how many of the others gave each of their labels, and the annotator's own label
        votes = (others[:, :, None] == others[:, None, :]).sum(axis=2)
        votes = np.where(others >= 0, votes, 0)
        most = votes.max(axis=1, initial=0)
        first = np.where(votes == most[:, None], others, self.distinct).min(axis=1)
        for_own = (others == own[:, None]).sum(axis=1)
        return np.where((most > for_own) & (most > 0), first, own)


def _all_replaced(
    table: _CodedTable, replaced: NDArray[np.intp], draws: int, seed: int
) -> Iterator[_ReplacedRatings]:
    """Yield the observed ratings and then, for each annotator, an expert, echoes and spammers."""
    codes, place, weight = table.codes, table.place, table.weight
    yield _ReplacedRatings(int(replaced[0]), codes[place, replaced[0]], weight)
    for annotator in replaced.tolist():
        own = codes[:, annotator]
        expert = np.where(table.gold >= 0, table.gold, table.expert(annotator))
        yield _ReplacedRatings(annotator, np.where(own >= 0, expert, -1)[place], weight)
        for other in range(codes.shape[1]):
            if other != annotator:
                copied = np.where(codes[:, other] >= 0, codes[:, other], own)
                yield _ReplacedRatings(annotator, np.where(own >= 0, copied, -1)[place], weight)
        random = stream(seed, Purpose.SPAMMERS, int(table.turn_of[annotator]))
        for _ in range(draws):
            drawn, times = table.spammer(random)
            yield _ReplacedRatings(annotator, np.where(own[place] >= 0, drawn, -1), times)


def _gold_codes(ratings: Rated, gold: ArrayLike) -> Integers:
    """Return the code of each item's gold label, or -1 if there is none."""
    values = np.asarray(gold, dtype=object)
    if values.shape != (ratings.items,):
        raise IaaError(
            f"gold needs one label for each of the {ratings.items:,} items, and has the "
            f"shape {values.shape}"
        )
    if ratings.kind is not Kind.LABELS:
        raise IaaError("gold labels are for ratings of one label each: leave gold out here")
    labels = {str(label): code for code, label in enumerate(ratings.label_names.tolist())}
    text = ["" if value is None or value != value else str(value) for value in values]
    unknown = sorted({label for label in text if label and label not in labels})
    if unknown:
        raise IaaError(f"gold has labels that the ratings do not have: {shown(unknown)}")
    return np.array([labels.get(label, -1) for label in text], dtype=np.int64)


def _figures(values: Floats, replaced: NDArray[np.intp], size: int) -> dict[str, Floats]:
    """Return the variables along annotators; NaN for annotators who are not replaced.

    ``values`` (replaced, ...) are the coefficients with an expert, with the ratings of each other
    annotator, and with spammers.
    """
    names = ("with_spammer", "spammer_low", "spammer_high", "with_echo", "echo_low", "echo_high")
    figures = {name: np.full(size, np.nan) for name in (*names, "with_expert")}
    for annotator, (expert, *others) in zip(replaced, values, strict=True):
        echo, spam = np.split(np.array(others), [size - 1])
        echo, spam = echo[~np.isnan(echo)], spam[~np.isnan(spam)]
        figures["with_expert"][annotator] = expert
        if len(spam):
            figures["with_spammer"][annotator] = spam.mean()
            figures["spammer_low"][annotator] = np.quantile(spam, 0.025)
            figures["spammer_high"][annotator] = np.quantile(spam, 0.975)
        if len(echo):
            figures["with_echo"][annotator] = echo.mean()
            figures["echo_low"][annotator] = echo.min()
            figures["echo_high"][annotator] = echo.max()
    return figures


def _indices(annotators: Sequence[object] | None, names: NDArray[np.generic]) -> NDArray[np.intp]:
    if annotators is None:
        return np.arange(len(names))
    if isinstance(annotators, str):
        annotators = [annotators]
    known = {str(name): index for index, name in enumerate(names.tolist())}
    unknown = [str(name) for name in annotators if str(name) not in known]
    if unknown or not len(annotators):
        raise IaaError(
            f"there is no annotator {shown(unknown)}: these are {shown(list(known), 12)}"
        )
    return np.array(sorted({known[str(name)] for name in annotators}))


def _notes(table: _CodedTable) -> Iterator[Note]:
    top = float(table.shares.max())
    if top > 0.9:
        yield Note("one_label_mostly", {"share": top}, "caution")
