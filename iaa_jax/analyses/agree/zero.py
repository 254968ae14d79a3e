"""Tests of zero agreement: whether ratings agree more than chance alone would have them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import xarray as xr

from iaa_jax._checks import MOST_DRAWS, check_choice, check_whole
from iaa_jax._errors import REASONS, IaaError, shown
from iaa_jax._types import Columns, Floats
from iaa_jax.analyses.agree.words import OF_TESTS
from iaa_jax.catalog import CATALOG
from iaa_jax.engine import Prepared, estimates, permute
from iaa_jax.engine.problem import Problem
from iaa_jax.kernels.icc_intervals import FInterval
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.coverage import FEW_ITEMS
from iaa_jax.measure.family_wise import holm
from iaa_jax.measure.labels import label_shares, measure_of_labels, one_versus_rest
from iaa_jax.measure.request import CoefficientLike, Request, Resolver, names_of_request
from iaa_jax.measure.results import notes_about, provenance_of_figures
from iaa_jax.measure.sampling import Sampling
from iaa_jax.measure.standard_errors import by_formula
from iaa_jax.measure.studies import (
    one_coefficient,
    refuse_spans,
    resolver_of,
    single_figures,
    with_identities,
)
from iaa_jax.measure.words import OF_FIGURES, note_text
from iaa_jax.wording import Note, joined, keyword, named

NULLS = ("auto", "analytic", "permutation")
ALTERNATIVES = ("two-sided", "greater")

WITHIN = "permutation within annotators"
POOLED = "permutation of all ratings"
F_TEST = "F test"

FEW_BY_CHANCE = 5
"""Pairs of ratings that chance has agree beside the commonest label: with fewer, p-values of the
normal distribution about .001 were found up to ten times too small."""

SURE = 0.05
"""A p-value below which agreement by chance alone is out of the question."""

PER_LABEL = "fleiss_kappa"
"""The coefficient that is tested of each label unless another is named."""

_WORDS = joined(OF_FIGURES, OF_TESTS)


class _Test(NamedTuple):
    """A test of one figure; NaN where there is nothing to test with."""

    null_mean: float = math.nan
    null_standard_error: float = math.nan
    z: float = math.nan
    p_value: float = math.nan
    undefined_permutations: int = 0
    method: str = ""
    notes: tuple[Note, ...] = ()


class _How(NamedTuple):
    """What a test is asked to be."""

    null: str
    alternative: str
    permutations: int
    seed: int
    progress: Callable[[int, int], None] | None

    def check(self) -> None:
        check_choice("null", self.null, NULLS)
        check_choice("alternative", self.alternative, ALTERNATIVES)
        check_whole("permutations", self.permutations, 1, MOST_DRAWS)


@public
def zero_agreement(
    ratings: xr.Dataset,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    per_label: bool = False,
    label_options: LabelOptions = select(LabelOptions),
    null: str = "auto",
    alternative: str = "two-sided",
    permutations: int = 999,
    options: IntervalOptions = select(IntervalOptions, "sampling", "seed"),
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Whether coefficients differ from what chance alone would give.

    The standard error here is that of ratings which agree by chance alone, not that of the
    interval, which holds for the agreement observed: an interval without 0 and a test need not say
    the same.

    "permutation" shuffles each annotator's ratings among the items that this annotator rated, and
    asks how many of the shuffled data are at least as extreme as the data: ``p = (1 + as many) / (1
    + permutations)``, exact whatever the coefficient. What the annotators rated, and how often each
    used a label, stays. "Extreme" means the value itself for "greater", and two-sided the distance
    from the mean of all values, the data's own included. "analytic" takes a published null standard
    error: ``z = estimate / SE_0`` and the normal distribution, for large samples; for intraclass
    correlations their F test.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    coefficients : str, callable or sequence of them, optional
        Names from the catalogue, or functions with the kernels' signature. By default all that
        apply and correct for chance; with ``per_label`` one, by default Fleiss' kappa.
    per_label : bool
        Test the coefficient of each label against all others together. For Fleiss' kappa with m
        ratings on each of n items the analytic standard error is ``sqrt(2 / (n m (m - 1)))`` for
        every label (Fleiss, Nee and Landis 1979).
    label_options : LabelOptions
    null : {"auto", "analytic", "permutation"}
        How chance is found; "auto" is the analytic form where the coefficient has one for these
        ratings, and they are enough for it (20 items, and 5 pairs of ratings that chance has agree
        on anything but the commonest label), else permutation.
    alternative : {"two-sided", "greater"}
        Whether less agreement than chance counts as well.
    permutations : int
        Random shuffles.
    options : IntervalOptions
    progress : callable, optional
        Called with the permutations done and their total.

    Returns
    -------
    xarray.Dataset
        Along ``coefficient``: ``estimate``, ``null_mean`` and ``null_standard_error`` (mean and
        spread under chance), ``z`` (the estimate's distance from that mean in these standard
        errors), ``p_value``, ``method`` (the analytic form or the kind of permutation),
        ``undefined_permutations`` (left out), ``code`` (0: defined), ``reason`` and ``note``. An F
        test has no z. Along ``label`` with ``per_label``, and ``adjusted_p_value`` (Holm): one
        below .05 holds among all labels together. The ``conclusion`` is "beyond_chance" where every
        p-value (adjusted, of labels) is below .05, "partly" where some are, "not_shown" where none
        is, and "undefined" where there is no p-value.

    Raises
    ------
    IaaError
        If an option is unknown or does not fit the ratings, the ratings are spans, or with
        ``null="analytic"`` no coefficient asked for has an analytic form.

    References
    ----------
    Fleiss, J. L., Cohen, J. and Everitt, B. S. (1969). Large sample standard errors of kappa and
    weighted kappa. Psychological Bulletin 72(5). https://doi.org/10.1037/h0028106
    Fleiss, J. L., Nee, J. C. M. and Landis, J. R. (1979). Large sample variance of kappa in the
    case of different sets of raters. Psychological Bulletin 86(5).
    https://doi.org/10.1037/0033-2909.86.5.974
    Phipson, B. and Smyth, G. K. (2010). Permutation p-values should never be zero. Statistical
    Applications in Genetics and Molecular Biology 9(1). https://doi.org/10.2202/1544-6115.1585

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"]] * 9 + [["a", "b"]] * 4 + [["b", "b"]] * 9)
    >>> result = iaa.zero_agreement(ratings, ["cohen_kappa", "krippendorff_alpha"])
    >>> result.method.values.tolist()
    ['fleiss_cohen_everitt_1969', 'permutation within annotators']
    >>> result.z.round(2).values
    array([3.25, 3.06])
    """
    how = _How(null, alternative, permutations, options.seed, progress)
    how.check()
    _check_sampling(options.random)
    _refuse_spans(ratings)
    resolver = resolver_of(ratings, label_options)
    if per_label:
        return _by_label(resolver, _one_of(coefficients), how)
    names = names_of_request(coefficients, resolver)
    if coefficients is None:
        names = [name for name in names if CATALOG[str(name)].beyond_chance]
    requests = single_figures(resolver, names)
    identified = [_identified(resolver, request) for request in requests]
    rows = [request.name for request in requests]
    variables, notes = _test_requests(resolver, requests, identified, how)
    result = xr.Dataset(
        {name: ("coefficient", values) for name, values in variables.items()},
        {"coefficient": np.array(rows)},
        _provenance(resolver, how, requests, zip(rows, notes, strict=True)),
    )
    return result.assign_attrs(conclusion=_conclusion(variables["p_value"]))


def _refuse_spans(ratings: xr.Dataset) -> None:
    """Refuse spans: what is marked in one document cannot be shuffled to another."""
    rows = [
        row.name
        for row in CATALOG.values()
        if row.measure.compares and row.beyond_chance and not row.per_label
    ]
    instead = "an interval of iaa_jax.span_f1 says how far agreement is known"
    if rows:
        instead = f"intervals of {', '.join(rows)}, where chance is taken out, say whether 0 is in"
    refuse_spans(ratings, "the test shuffles labels among items", instead)


def _check_sampling(random: Sampling) -> None:
    """Refuse what is random beside items: nothing is drawn here."""
    named_units = {name.removeprefix("sampling_"): value for name, value in random.record().items()}
    if not named_units:
        return
    name, value = next(iter(named_units.items()))
    message = (
        f"{keyword(name, value)} is not available here: the test shuffles the ratings of these "
        "annotators item by item. Intervals of iaa_jax.agreement, agreement_by, compare have "
        "it: one without 0 says that agreement goes beyond chance"
    )
    raise IaaError(message)


def _one_of(coefficients: CoefficientLike | Sequence[CoefficientLike] | None) -> CoefficientLike:
    """The coefficient whose labels are tested."""
    if coefficients is None:
        return PER_LABEL
    if isinstance(coefficients, str) or callable(coefficients):
        return coefficients
    if len(coefficients) == 1:
        return coefficients[0]
    message = f"{keyword('per_label', True)} tests one coefficient of each label: name one"
    raise IaaError(message)


def _by_label(resolver: Resolver, coefficient: CoefficientLike, how: _How) -> xr.Dataset:
    """The test for each label against all others together."""
    if resolver.tables.task == "value":
        message = f"these ratings are numbers without labels: leave {named('per_label')} out"
        raise IaaError(message)
    wanted = one_coefficient(resolver, coefficient)
    shares = label_shares(resolver.tables, sets_as_labels=False)
    measure = measure_of_labels(wanted)
    identified_measure = replace(measure, identified=measure.identified or not resolver.anonymous)
    requests = [one_versus_rest(resolver, wanted, measure, share) for share in shares.T]
    identified = [
        one_versus_rest(resolver, wanted, identified_measure, share) for share in shares.T
    ]
    variables, notes = _test_requests(resolver, requests, identified, how)
    variables = {**variables, "adjusted_p_value": holm(variables["p_value"])}
    names = resolver.ratings.label.values
    result = xr.Dataset(
        {name: ("label", values) for name, values in variables.items()},
        {"label": names},
        _provenance(resolver, how, [], zip(map(str, names), notes, strict=True)),
    )
    conclusion = _conclusion(variables["adjusted_p_value"])
    return result.assign_attrs(coefficient=wanted.name, conclusion=conclusion)


def _conclusion(p_values: Floats) -> str:
    known = p_values[~np.isnan(p_values)]
    if not len(known):
        return "undefined"
    below = known < SURE
    if below.all():
        return "beyond_chance"
    return "partly" if below.any() else "not_shown"


def _identified(resolver: Resolver, request: Request) -> Request:
    """The same coefficient with annotators told apart, where they can be."""
    if resolver.anonymous:
        return request
    return replace(request, problem=with_identities(resolver, request.problem))


def _provenance(
    resolver: Resolver,
    how: _How,
    requests: Sequence[Request],
    notes: Iterable[tuple[str, Sequence[Note]]],
) -> dict[str, object]:
    return {
        **provenance_of_figures(resolver, "zero_agreement", requests, notes=notes_about(notes)),
        "seed": how.seed,
        "null": how.null,
        "alternative": how.alternative,
        "permutations": how.permutations,
    }


def _test_requests(
    resolver: Resolver, requests: Sequence[Request], identified: Sequence[Request], how: _How
) -> tuple[Columns, list[tuple[Note, ...]]]:
    """The variables, and the notes on each figure; ``identified`` has known annotators."""
    agreements = estimates(Prepared([request.problem for request in requests]))
    numbers = [float(agreement.estimate) for agreement in agreements]
    tests = [_Test()] * len(requests)
    if how.null != "permutation":
        tests = [_analytic(*pair, how) for pair in zip(requests, numbers, strict=True)]
        if how.null == "analytic" and all(_has_none(request) for request in requests):
            have = [row.name for row in CATALOG.values() if row.null_error or row.f_interval]
            message = (
                f"{shown(request.name for request in requests)}: no analytic test of zero "
                f"agreement; these have one: {', '.join(have)}; use "
                f"{keyword('null', 'permutation')}"
            )
            raise IaaError(message)
    untested = [
        index for index, test in enumerate(tests) if not test.method and agreements[index].code == 0
    ]
    if how.null != "analytic" and untested:
        several = _permutation_tests(
            resolver,
            [identified[index] for index in untested],
            [numbers[index] for index in untested],
            how,
        )
        for index, test in zip(untested, several, strict=True):
            tests[index] = test._replace(notes=(*tests[index].notes, *test.notes))
    codes = [int(agreement.code) for agreement in agreements]
    notes = [(*request.notes, *test.notes) for request, test in zip(requests, tests, strict=True)]
    variables = {
        "estimate": np.array(numbers),
        **{
            name: np.array([getattr(test, name) for test in tests])
            for name in _Test._fields
            if name != "notes"
        },
        "code": np.array(codes),
        "reason": np.array([REASONS[code] for code in codes]),
        "note": np.array([note_text(several, _WORDS) for several in notes]),
    }
    return variables, notes


def _has_none(request: Request) -> bool:
    return request.row is None or not (request.row.null_error or request.row.f_interval)


def _analytic(request: Request, estimate: float, how: _How) -> _Test:
    """By the first form that is for these ratings; none says why."""
    from scipy.special import ndtr

    row = request.row
    if math.isnan(estimate):
        return _Test()
    if row is not None and row.f_interval is not None:
        return _f_test(request.problem, row.f_interval, how)
    reasons: list[Note] = []
    few = _few_by_chance(request.problem)
    instead = few is not None and how.null == "auto" and _has_whole_weights(request.problem)
    for name, form in ({} if row is None else row.null_error).items():
        error, reason = by_formula(form, request.problem)
        if reason or not error > 0 or instead:
            values = {"form": name, "reason": reason or (few if error > 0 else Note("no_spread"))}
            reasons.append(Note("null_form_not_for", values))
            continue
        z = estimate / float(error)
        p_value = 2 * ndtr(-abs(z)) if how.alternative == "two-sided" else ndtr(-z)
        notes = () if few is None else (few,)
        return _Test(0.0, float(error), z, float(p_value), method=name, notes=notes)
    if how.null == "analytic" and not reasons:
        reasons = [Note("no_null_form")]
    return _Test(notes=tuple(reasons[:1]))


def _few_by_chance(problem: Problem) -> Note | None:
    """Where so few ratings would agree by chance that a normal distribution does not tell."""
    data, count = problem.data, problem.table.count
    if data.ndim < 3:
        return None
    rated = np.asarray(~np.isnan(data).any(axis=-1))
    ratings = rated.sum(axis=1)
    totals = count @ np.where(rated[..., None], data, 0.0).sum(axis=1)
    others = np.sort(totals / max(float(totals.sum()), 1e-300))[:-1]
    pairs = float(count @ (ratings * (ratings - 1) / 2)) * float(others @ others)
    items = float(count[ratings >= 2].sum())
    if items >= FEW_ITEMS and pairs >= FEW_BY_CHANCE:
        return None
    return Note("few_by_chance", {"items": items, "pairs": pairs}, "caution")


def _has_whole_weights(problem: Problem) -> bool:
    """Whether items can be shuffled one by one."""
    return bool(np.all(problem.table.count == np.rint(problem.table.count)))


def _f_test(problem: Problem, f_interval: Callable[..., FInterval], how: _How) -> _Test:
    test = f_interval(problem.data, problem.table.count, 0.95)
    if math.isnan(test.f):
        return _Test(notes=(Note("no_f_test"),))
    p_value = test.p_value
    if how.alternative == "two-sided":
        p_value = min(1.0, 2 * min(p_value, 1 - p_value))
    note = Note("f_value", {"f": test.f, "df1": test.df1, "df2": test.df2})
    return _Test(0.0, p_value=p_value, method=F_TEST, notes=(note,))


def _permutation_tests(
    resolver: Resolver, requests: Sequence[Request], numbers: Sequence[float], how: _How
) -> list[_Test]:
    if not _has_whole_weights(requests[0].problem):
        return [_Test(notes=(Note("no_permutation_of_weights"),)) for _ in requests]
    rows = permute(
        Prepared([request.problem for request in requests]),
        permutations=how.permutations,
        seed=how.seed,
        progress=how.progress,
    )
    method = POOLED if resolver.anonymous else WITHIN
    notes = (Note("permuted_together"),) if resolver.anonymous else ()
    return [
        _test_by_shuffles(number, np.asarray(values, dtype=np.float64), how, method, notes)
        for number, values in zip(numbers, rows, strict=True)
    ]


def _test_by_shuffles(
    estimate: float, values: Floats, how: _How, method: str, notes: tuple[Note, ...]
) -> _Test:
    """The place of the estimate among the figures of shuffled data."""
    known = values[~np.isnan(values)]
    lost = len(values) - len(known)
    if lost:
        counts = {"undefined": lost, "permutations": len(values)}
        notes = (*notes, Note("undefined_permutations", counts))
    if not len(known):
        return _Test(undefined_permutations=lost, notes=notes)
    all_values = np.append(known, estimate)
    # rounding must not decide whether equal figures are as far out
    tolerance = 1e-9 * max(1.0, float(np.abs(all_values).max()))
    if how.alternative == "two-sided":
        all_values = np.abs(all_values - all_values.mean())
    p_value = np.mean(all_values >= all_values[-1] - tolerance)
    mean = float(known.mean())
    spread = float(known.std(ddof=1)) if len(known) > 1 else math.nan
    z = (estimate - mean) / spread if spread > tolerance else math.nan
    if not spread > tolerance:
        notes = (*notes, Note("permuted_alike"))
    return _Test(mean, spread, z, float(p_value), lost, method, notes)
