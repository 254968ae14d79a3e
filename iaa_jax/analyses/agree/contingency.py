"""Contingency tables of the labels of two annotators, and indices that explain a kappa."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import xarray as xr
from numpy.typing import NDArray
from scipy.special import bdtr, chdtrc

from iaa_jax._errors import IaaError
from iaa_jax._types import Columns, Floats, Values
from iaa_jax.analyses.agree import declared
from iaa_jax.data.patterns import Codes
from iaa_jax.measure import LabelOptions, public, select
from iaa_jax.measure.intervals.family_wise import holm
from iaa_jax.measure.options.requirements import Excluded, requires
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.results import dataset_of, provenance_of
from iaa_jax.measure.shared.annotator_pairs import no_pairs, tables_of_pairs
from iaa_jax.measure.shared.confusions import confusions, first_connected
from iaa_jax.measure.shared.labels import label_shares
from iaa_jax.wording import Note
from iaa_jax.wording.figures import gives

MOST_PAIRS = 2000
"""Maximum number of pairs of annotators; with more, no pair is tested."""

SURE = 0.05
"""Adjusted p-value below which two margins differ."""

_CELLS = 1 << 26


@public
@requires(
    Excluded(
        "spans",
        "a contingency table counts labels of items",
        "iaa_jax.labels counts the labels of overlapping spans",
    ),
    Excluded(
        "counts without annotators", "a contingency table needs to know who gave which rating"
    ),
)
@gives(declared)
def contingency(
    ratings: Rated,
    *,
    annotators: Sequence[object] | None = None,
    label_options: LabelOptions = select(LabelOptions, "p"),
) -> xr.Dataset:
    """Explain a kappa: tables of labels, prevalence, bias, ceilings and margins.

    For two annotators with the table n_kl (labels of the first in rows) and the margins p_1k and
    p_2k, the specific agreement on label k is ``2 n_kk / (n_k. + n_.k)``. The prevalence of label k
    is ``p_1k + p_2k - 1``, and its bias ``p_1k - p_2k``. For two labels, a table with the rows a, b
    and c, d has the prevalence index ``(a - d) / n`` and the bias index ``(b - c) / n``, both for
    the first label. The ceiling ``kappa_max`` is the largest kappa that these margins allow,
    ``(sum_k min(p_1k, p_2k) - P_e) / (1 - P_e)``. For L labels, ``pabak`` is ``(L P_o - 1) / (L -
    1)``. ``davies_fleiss`` is

        1 - (I J^2 - sum_ic Y_ic^2) / (I (J (J - 1) sum_c p_c (1 - p_c) + sum_cj (p_cj - p_c)^2))

    for I items, J annotators, Y_ic ratings of item i with label c, p_cj the share of annotator j's
    ratings with label c, and p_c the mean of p_cj over annotators. This kappa needs complete
    ratings, and then equals Conger's kappa, which is pooled over pairs. The mean of the kappas of
    pairs (``mean_pairwise_kappa``) may differ slightly.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with labels and known annotators, as the constructors and `iaa_jax.read` make them.
    annotators : sequence, optional
        Names of the annotators to include, such as a pair; all by default.
    label_options : LabelOptions
    p : float
        Share of the primary label if there is a secondary one, from 0.5 to 1. With p below 1,
        cells may not be whole numbers, and tests of such tables are NaN.

    Returns
    -------
    xarray.Dataset
        Without a dimension (some only for two annotators):

        INDICES

        Along ``label``:

        LABELS_OF_TABLES

        Along ``label`` and ``label_2``:

        CELLS

        Along ``annotator`` and ``label``:

        MARGINS

        Along ``pair``:

        PAIRS

        The ``conclusion`` is "margins_differ" if the annotators of at least one pair use labels
        with different frequencies (``stuart_p_holm`` below .05), and otherwise "margins_alike".
        ``pairs_differ`` counts these pairs. More than 2000 pairs, or fewer with hundreds of labels,
        are not tested: the ``conclusion`` is "margins_not_tested", and a note says so.

    Raises
    ------
    IaaError
        If annotators are unknown, ratings are numbers, or no two annotators share an item.

    References
    ----------
    Cunningham, H. et al., Developing Language Processing Components with GATE, appendix F.
    Davies, M. and Fleiss, J. L. (1982). Measuring agreement for multinomial data. Biometrics
    38(4). https://doi.org/10.2307/2529886
    Byrt, T., Bishop, J. and Carlin, J. B. (1993). Bias, prevalence and kappa. Journal of Clinical
    Epidemiology 46(5). https://doi.org/10.1016/0895-4356(93)90018-V

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> result = iaa.contingency(iaa.from_contingency([[20, 5], [10, 15]]))
    >>> result.specific_agreement.round(4).values
    array([0.7273, 0.6667])
    >>> names = ("prevalence_index", "bias_index", "kappa_max", "pabak", "scott_pi")
    >>> [round(float(result[name]), 4) for name in names]
    [0.1, -0.1, 0.8, 0.4, 0.3939]
    """
    if annotators is not None:
        ratings = ratings.select_annotators(annotators)
    return contingency_of_all(ratings, label_options)


def contingency_of_all(ratings: Rated, label_options: LabelOptions) -> xr.Dataset:
    """Return the result of `contingency` for all annotators of these ratings."""
    resolver = Resolver(ratings, label_options)
    tables = resolver.tables
    shares = label_shares(tables, sets_as_labels=True)
    names = np.asarray(tables.labels)
    compact, count = tables.compact_codes, tables.identified_table.count
    size, labels = ratings.annotators, shares.shape[1]
    notes: list[Note] = []
    codes, patterns = tables.exchangeable.codes, tables.exchangeable_table.count
    of_all = confusions(codes, patterns, shares, sets=False)
    label_totals = _label_totals(compact, count, size, shares)
    with np.errstate(invalid="ignore", divide="ignore"):
        margins = label_totals / label_totals.sum(axis=1, keepdims=True)
    variables: dict[str, object] = {
        "coincidences": (("label", "label_2"), of_all.coincidences),
        "coincidences_expected": (("label", "label_2"), of_all.expected),
        "margins": (("annotator", "label"), margins),
    }
    pairs = size * (size - 1) // 2
    if pairs > MOST_PAIRS or pairs * labels**2 > _CELLS:
        notes.append(Note("pairs_not_tested", {"pairs": pairs}))
        annotators_of_pairs, pair_confusions = no_pairs(labels)
    else:
        annotators_of_pairs, pair_confusions = tables_of_pairs(compact, count, size, shares)
    p_values = _add_pairs(ratings.annotator_names, annotators_of_pairs, pair_confusions, variables)
    literal = np.nan
    present = count > 0
    if ((compact.codes[present] >= 0).sum(axis=1) == size).all():
        table = np.concatenate([shares, np.zeros((1, labels))])
        literal = davies_fleiss(table[compact.codes].sum(axis=1), label_totals, count)
    else:
        notes.append(Note("davies_fleiss_needs_all"))
    variables["davies_fleiss"] = ((), literal)
    if size == 2:
        if not len(pair_confusions):
            raise IaaError("the two annotators have no item in common")
        _add_two(pair_confusions[0], variables)
    else:
        table = np.concatenate([shares, np.full((1, labels), np.nan)])
        unweighted = Resolver(tables)
        specific = unweighted.request("specific_agreement").problem.measure.kernel
        agreed = specific(table[codes], item_weight=patterns)
        variables["specific_agreement"] = ("label", np.asarray(agreed.estimate))
    differ = int((p_values < SURE).sum())
    conclusion = "margins_differ" if differ else "margins_alike"
    attrs = provenance_of(resolver.tables, "contingency", notes=notes) | {
        "conclusion": conclusion if len(p_values) else "margins_not_tested",
        "pairs_differ": differ,
    }
    coords = {"label": names, "label_2": names, "annotator": ratings.annotator_names}
    return dataset_of(variables, coords, attrs)


def davies_fleiss(counts: Floats, totals: Floats, weight: Floats) -> float:
    """Return Davies and Fleiss' kappa by the formula in GATE, appendix F.4, for complete ratings.

    ``counts`` (item, label) are Y_ic, and ``totals`` (annotator, label) count the labels that each
    annotator gave. ``weight`` is the number of items in each row of ``counts``.
    """
    items, raters = weight.sum(), len(totals)
    shares = totals / items
    mean = shares.mean(axis=0)
    top = items * raters**2 - float(weight @ (counts**2).sum(axis=1))
    chance = raters * (raters - 1) * (mean * (1 - mean)).sum() + ((shares - mean) ** 2).sum()
    return float(1 - top / (items * chance)) if chance > 0 else float("nan")


class KappaParts(NamedTuple):
    """The parts of Cohen's kappa, and the largest kappa that the margins allow."""

    observed: float
    expected: float
    kappa: float
    largest: float


def kappa_parts(table: Floats) -> KappaParts:
    """Return the parts of Cohen's kappa."""
    shares = table / table.sum()
    first, second = shares.sum(axis=1), shares.sum(axis=0)
    observed = float(np.trace(shares))
    # with a single label, expected disagreement is exactly 0
    disagreeing = float(first.sum() * second.sum() - first @ second)
    chance = 0.0 if np.count_nonzero(first + second) == 1 else disagreeing
    largest = float(np.minimum(first, second).sum())
    expected = 1 - chance
    if chance <= 0:
        return KappaParts(observed, expected, np.nan, np.nan)
    kappa = 1 - (1 - observed) / chance
    return KappaParts(observed, expected, kappa, 1 - (1 - largest) / chance)


def _label_totals(codes: Codes, count: Floats, size: int, shares: Floats) -> Floats:
    """Count how often each annotator gave each label (annotator, label)."""
    rows, slots, raters = codes.ratings()
    key = raters.astype(np.int64) * len(shares) + codes.codes[rows, slots]
    times = np.bincount(key, weights=count[rows], minlength=size * len(shares))
    return times.reshape(size, len(shares)) @ shares


def _add_pairs(
    names: Values,
    annotators_of_pairs: NDArray[np.intp],
    tables_of_each: Floats,
    variables: dict[str, object],
) -> Floats:
    """Add the variables of pairs, and return the adjusted p-values."""
    parts = [kappa_parts(table) for table in tables_of_each]
    tests = [stuart_maxwell(table) if _is_whole(table) else _NO_TEST for table in tables_of_each]
    p_values = np.array([test.p_value for test in tests], dtype=np.float64)
    along: Columns = {
        "first": names[annotators_of_pairs[:, 0]],
        "second": names[annotators_of_pairs[:, 1]],
        "shared_items": tables_of_each.sum(axis=(1, 2)),
        "pair_kappa": np.array([part.kappa for part in parts], dtype=np.float64),
        "pair_kappa_max": np.array([part.largest for part in parts], dtype=np.float64),
        "stuart": np.array([test.statistic for test in tests], dtype=np.float64),
        "stuart_df": np.array([test.df for test in tests], dtype=np.int64),
        "stuart_p": p_values,
        "stuart_p_holm": holm(p_values),
    }
    variables.update({name: ("pair", values) for name, values in along.items()})
    kappas = along["pair_kappa"]
    mean = pooled = observed = np.nan
    if len(parts):
        observed = float(np.mean([part.observed for part in parts]))
        chance = 1 - float(np.mean([part.expected for part in parts]))
        pooled = 1 - (1 - observed) / chance if chance > 0 else np.nan
    if (~np.isnan(kappas)).any():
        mean = float(np.nanmean(kappas))
    variables |= {
        "observed_agreement": ((), observed),
        "mean_pairwise_kappa": ((), mean),
        "pooled_kappa": ((), pooled),
    }
    return along["stuart_p_holm"]


def _add_two(table: Floats, variables: dict[str, object]) -> None:
    labels = len(table)
    parts = kappa_parts(table)
    shares = table / table.sum()
    first, second = shares.sum(axis=1), shares.sum(axis=0)
    used = first + second
    bias, prevalence = first - second, used - 1
    pooled = used / 2
    between = 1 - float(pooled @ pooled)
    test = bowker(table) if _is_whole(table) else _NO_TEST
    specific = np.full(labels, np.nan)
    np.divide(2 * np.diagonal(shares), used, where=used > 0, out=specific)
    variables |= {
        "table": (("label", "label_2"), table),
        "specific_agreement": ("label", specific),
        "prevalence": ("label", prevalence),
        "bias": ("label", bias),
        "kappa": ((), parts.kappa),
        "kappa_max": ((), parts.largest),
        "scott_pi": ((), 1 - (1 - parts.observed) / between if between > 0 else np.nan),
        "pabak": ((), (labels * parts.observed - 1) / (labels - 1) if labels > 1 else np.nan),
        "bowker": ((), test.statistic),
        "bowker_df": ((), test.df),
        "bowker_p": ((), test.p_value),
    }
    if labels == 2:
        variables |= {
            "prevalence_index": ((), float(prevalence[0])),
            "bias_index": ((), float(bias[0])),
            "mcnemar": ((), test.statistic),
            "mcnemar_p": ((), test.p_value),
            "mcnemar_exact_p": ((), mcnemar_exact(table)),
        }


def _is_whole(table: Floats) -> bool:
    return bool((table == np.rint(table)).all())


class _MarginTest(NamedTuple):
    """The result of a test of margins; NaN if there is nothing to test."""

    statistic: float
    df: int
    p_value: float


_NO_TEST = _MarginTest(float("nan"), 0, float("nan"))


def stuart_maxwell(table: Floats) -> _MarginTest:
    """Test whether two annotators have the same margins (marginal homogeneity).

    The statistic is ``d' V^-1 d`` with d the differences of the margins and V their covariance. The
    inverse is generalised, so that labels without differences drop out. Stuart, A. (1955),
    Biometrika 42. Maxwell, A. E. (1970), British Journal of Psychiatry 116.
    """
    table = np.asarray(table, dtype=np.float64)
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    difference = rows - columns
    covariance = np.diag(rows + columns) - table - table.T
    # V is the Laplacian of a graph of labels: its rank is the number of labels minus components
    rank = len(table) - len(np.unique(first_connected(table + table.T > 0)))
    if rank == 0:
        return _NO_TEST
    return _chi_squared_test(
        float(difference @ np.linalg.pinv(covariance, hermitian=True) @ difference), rank
    )


def bowker(table: Floats) -> _MarginTest:
    """Test whether the table is symmetric, so that n_kl and n_lk differ only by chance.

    The statistic is ``sum_{k<l} (n_kl - n_lk)^2 / (n_kl + n_lk)``, with a degree of freedom for
    each pair of labels that was confused at least once. Bowker, A. H. (1948), JASA 43. For two
    labels this is McNemar's test.
    """
    table = np.asarray(table, dtype=np.float64)
    above, below = table[np.triu_indices(len(table), 1)], table.T[np.triu_indices(len(table), 1)]
    total = above + below
    confused = total > 0
    if not confused.any():
        return _NO_TEST
    statistic = ((above[confused] - below[confused]) ** 2 / total[confused]).sum()
    return _chi_squared_test(float(statistic), int(confused.sum()))


def mcnemar_exact(table: Floats) -> float:
    """Return the exact p-value for two labels, by a sign test of the off-diagonal counts b and c.

    NaN means that the counts are not whole, or both 0. McNemar, Q. (1947), Psychometrika 12.
    """
    b, c = float(table[0, 1]), float(table[1, 0])
    are_counts = b.is_integer() and c.is_integer()
    if not are_counts or b + c == 0:
        return float("nan")
    return min(1.0, 2 * float(bdtr(min(b, c), int(b + c), 0.5)))


def _chi_squared_test(statistic: float, df: int) -> _MarginTest:
    return _MarginTest(statistic, df, float(chdtrc(df, statistic)))
