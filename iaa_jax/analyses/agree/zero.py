"""Tests of zero agreement: whether ratings agree more than by chance alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
import xarray as xr

from iaa_jax._checks import MOST_DRAWS
from iaa_jax._errors import REASONS, IaaError, shown
from iaa_jax._types import Columns, Floats
from iaa_jax.analyses.agree import declared
from iaa_jax.analyses.agree.chance_tests import (
    ALTERNATIVES,
    NULLS,
    ChanceTest,
    ChanceTestOptions,
    by_null_formula,
    by_permutations,
    has_no_formula,
    prefers_formula,
)
from iaa_jax.analyses.agree.words import OF_TESTS
from iaa_jax.catalog import CATALOG
from iaa_jax.data.kind import Kind
from iaa_jax.engine import Prepared, estimates
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.intervals.family_wise import holm
from iaa_jax.measure.options.declared import OneOf, Whole
from iaa_jax.measure.options.requirements import Excluded, requires
from iaa_jax.measure.options.sampling import Sampling
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.level import without_verdict
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver, names_of_request
from iaa_jax.measure.requests.studies import (
    one_coefficient,
    refuse_anonymous,
    single_figures,
    with_identities,
)
from iaa_jax.measure.results import dataset_of, notes_about, provenance_of_figures
from iaa_jax.measure.shared.labels import label_shares, measure_of_labels, one_versus_rest
from iaa_jax.measure.words import OF_FIGURES, note_text
from iaa_jax.wording import Note, command, joined, keyword, load_notes, named
from iaa_jax.wording.figures import gives

SURE = 0.05
"""p-value below which chance alone is ruled out."""

PER_LABEL = "fleiss_kappa"
"""Default coefficient for tests of each label."""

_WORDS = joined(OF_FIGURES, OF_TESTS)

_FOR_SPANS = (
    "see whether 0 is in the interval of unitizing_alpha or, where spans of a label overlap, of "
    f"gamma ({command('agree', '--coefficients', 'gamma')}), which correct for chance"
)


@public
@requires(
    Excluded("spans", "the test of zero agreement shuffles labels among items", _FOR_SPANS),
    null=OneOf(NULLS),
    alternative=OneOf(ALTERNATIVES),
    permutations=Whole(1, MOST_DRAWS),
)
@gives(declared)
def zero_agreement(
    ratings: Rated,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    per_label: bool = False,
    label_options: LabelOptions = select(LabelOptions),
    null: str = "auto",
    alternative: str = "two-sided",
    permutations: int = 999,
    options: IntervalOptions = select(IntervalOptions, "sampling", "seed", "device"),
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Test whether coefficients differ from what chance alone would give.

    The standard error of a test assumes that ratings agree by chance alone; the standard error of
    an interval does not. A test and an interval may therefore disagree about 0.

    Items that belong together, such as the items of a document, are not independent. With
    ``Sampling(cluster=...)`` whole clusters are permuted: an annotator's ratings of one cluster, in
    the order of item names, are swapped with the same annotator's ratings of another cluster that
    has equally many items and the same missing ratings. Clusters without such a counterpart stay in
    place.

    A permutation test shuffles each annotator's ratings among the items that this annotator rated,
    and counts the permutations that are at least as extreme as the data: ``p = (1 + count) / (1 +
    permutations)``, which is exact for any coefficient. Each annotator keeps the same items and the
    same number of each label. With ``alternative="greater"``, a higher coefficient is more extreme;
    with "two-sided", a coefficient farther from the mean over the permutations and the data.

    An analytic test takes a published null standard error SE_0, and compares ``z = estimate /
    SE_0`` with the normal distribution. For intraclass correlations, the analytic test is the F
    test. The normal test needs many items and, except for Cohen's kappa, annotators who use the
    labels equally often. If they do not, the test finds agreement by chance alone to be "less than
    chance", more often the more items there are.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    coefficients : str, callable or sequence of them, optional
        Names from the catalogue, or functions with the signature of those in `iaa_jax.kernels`. By
        default all that apply and correct for chance. With ``per_label``, a single coefficient, by
        default Fleiss' kappa.
    per_label : bool
        Test the coefficient of each label against all other labels together. For Fleiss' kappa with
        m ratings on each of n items the analytic standard error is ``sqrt(2 / (n m (m - 1)))`` for
        every label (Fleiss, Nee and Landis 1979).
    label_options : LabelOptions
    null : {"auto", "analytic", "permutation"}
        How the null distribution is found. "auto" is permutation if it is known who gave which
        rating. For counts without annotators it is the analytic test, if the coefficient has one
        for these ratings and there are enough of them (20 items, and 5 pairs of ratings expected to
        agree by chance on labels other than the commonest). It is also analytic, with a caution, if
        items have weights that are not whole numbers, or if all permutations together would move
        more than 200 million ratings. (Items with the same ratings are moved together, so that with
        few labels and annotators even a million items are permuted.)
    alternative : {"two-sided", "greater"}
        Whether less agreement than by chance also counts as evidence.
    permutations : int
        Number of random permutations.
    options : IntervalOptions
    progress : callable, optional
        Called with the number of finished permutations and their total.

    Returns
    -------
    xarray.Dataset
        Along ``coefficient``, or along ``label`` with ``per_label``:

        ZERO
        ZERO_OF_LABELS

        The ``conclusion`` is "beyond_chance" if every p-value (for labels, every adjusted p-value)
        is below .05, "partly" if some are, "not_shown" if none is, and "undefined" if there is no
        p-value.

    Raises
    ------
    IaaError
        If an option is unknown or does not apply to the ratings, if the ratings are spans, or if
        ``null="analytic"`` and no chosen coefficient has an analytic test.

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
    ['permutation within annotators', 'permutation within annotators']
    >>> result.z.round(2).values
    array([3.29, 3.29])
    """
    cluster = options.random.cluster
    how = ChanceTestOptions(null, alternative, permutations, options.seed, progress, cluster)
    _check_sampling(options.random, null)
    resolver = Resolver(ratings, label_options)
    if cluster is not None and resolver.anonymous:
        refuse_anonymous("clusters are permuted within annotators")
    if per_label:
        return _by_label(resolver, _one_of(coefficients), how)
    names = names_of_request(coefficients, resolver)
    if coefficients is None:
        names = [name for name in names if CATALOG[str(name)].beyond_chance]
    requests = single_figures(resolver, names)
    identified = [_identified(resolver, request) for request in requests]
    rows = [request.name for request in requests]
    variables, notes = _test_requests(resolver, requests, identified, how)
    result = dataset_of(
        {name: ("coefficient", values) for name, values in variables.items()},
        {"coefficient": np.array(rows)},
        _provenance(resolver, how, requests, zip(rows, notes, strict=True)),
    )
    return without_verdict(result.assign_attrs(conclusion=_conclusion(variables["p_value"])))


def _check_sampling(random: Sampling, null: str) -> None:
    """Raise an error for sampling other than clusters, and for clusters in an analytic test."""
    named_units = {name.removeprefix("sampling_"): value for name, value in random.record().items()}
    if named_units.pop("cluster", None) is not None and null == "analytic":
        raise IaaError(
            f"{keyword('null', null)} treats items as independent: leave it out, so that clusters "
            "are permuted"
        )
    if not named_units:
        return
    name, value = next(iter(named_units.items()))
    raise IaaError(
        f"{keyword(name, value)} is not available here: the test shuffles the ratings of these "
        "annotators item by item. Intervals of iaa_jax.agreement, agreement_by and compare allow "
        "it: an interval without 0 shows agreement beyond chance"
    )


def _one_of(coefficients: CoefficientLike | Sequence[CoefficientLike] | None) -> CoefficientLike:
    if coefficients is None:
        return PER_LABEL
    if isinstance(coefficients, str) or callable(coefficients):
        return coefficients
    if len(coefficients) == 1:
        return coefficients[0]
    raise IaaError(f"{keyword('per_label', True)} tests one coefficient of each label: name one")


def _by_label(
    resolver: Resolver, coefficient: CoefficientLike, how: ChanceTestOptions
) -> xr.Dataset:
    if resolver.tables.kind is Kind.NUMBERS:
        raise IaaError(f"these ratings are numbers without labels: leave {named('per_label')} out")
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
    names = resolver.tables.label_names
    result = dataset_of(
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
    """Return the request with data that tell known annotators apart."""
    if resolver.anonymous:
        return request
    return replace(request, problem=with_identities(resolver, request.problem))


def _provenance(
    resolver: Resolver,
    how: ChanceTestOptions,
    requests: Sequence[Request],
    notes: Iterable[tuple[str, Sequence[Note]]],
) -> dict[str, object]:
    return {
        **provenance_of_figures(resolver, "zero_agreement", requests, notes=notes_about(notes)),
        "seed": how.seed,
        "null": how.null,
        "alternative": how.alternative,
        "permutations": how.permutations,
        **({} if how.cluster is None else {"sampling_cluster": how.cluster}),
    }


def _test_requests(
    resolver: Resolver,
    requests: Sequence[Request],
    identified: Sequence[Request],
    how: ChanceTestOptions,
) -> tuple[Columns, list[tuple[Note, ...]]]:
    """Return the variables of the tests, and the notes on each test.

    A request is a coefficient with its data. In ``identified``, the data also tell known annotators
    apart.
    """
    agreements = estimates(Prepared([request.problem for request in requests]))
    numbers = [float(agreement.estimate) for agreement in agreements]
    tests = [ChanceTest()] * len(requests)
    by_forms = prefers_formula(resolver, identified[0], how)
    if by_forms:
        tests = [by_null_formula(*pair, how) for pair in zip(requests, numbers, strict=True)]
        if isinstance(by_forms, Note):
            tests = [
                test._replace(notes=(by_forms, *test.notes)) if test.method else test
                for test in tests
            ]
        if how.null == "analytic" and all(has_no_formula(request) for request in requests):
            have = [row.name for row in CATALOG.values() if row.null_error or row.f_interval]
            raise IaaError(
                f"{shown(request.name for request in requests)}: no analytic test of zero "
                f"agreement; these have one: {', '.join(have)}; use "
                f"{keyword('null', 'permutation')}"
            )
    untested = [
        index for index, test in enumerate(tests) if not test.method and agreements[index].code == 0
    ]
    if how.null != "analytic" and untested:
        permuted = by_permutations(
            resolver,
            [identified[index] for index in untested],
            [numbers[index] for index in untested],
            how,
        )
        for index, test in zip(untested, permuted, strict=True):
            tests[index] = test._replace(notes=(*tests[index].notes, *test.notes))
    codes = [int(agreement.code) for agreement in agreements]
    notes = [(*request.notes, *test.notes) for request, test in zip(requests, tests, strict=True)]
    variables = {
        "estimate": np.array(numbers),
        **{
            name: np.array([getattr(test, name) for test in tests])
            for name in ChanceTest._fields
            if name != "notes"
        },
        "code": np.array(codes),
        "reason": np.array([REASONS[code] for code in codes]),
        "note": np.array([note_text(of_figure, _WORDS) for of_figure in notes]),
    }
    return variables, notes


def notes_of_test(result: xr.Dataset) -> list[Note]:
    """Return the notes on the test itself."""
    return [note for note in load_notes(result.attrs["notes"]) if note.code in OF_TESTS]
