# Written by tools/generate.py from the catalogue and the rows of the analyses.
"""The public names; `__init__.py` loads the same ones lazily."""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike

from iaa_jax import data as data, doubles as doubles, kernels as kernels
from iaa_jax._errors import IaaError as IaaError
from iaa_jax.analyses import page as page
from iaa_jax.analyses.agree.from_replicates import probability_above as probability_above
from iaa_jax.analyses.coefficients.study import coefficients as coefficients
from iaa_jax.analyses.compare.study import Coefficients
from iaa_jax.data.build import (
    from_contingency as from_contingency,
    from_counts as from_counts,
    from_long as from_long,
    from_mass as from_mass,
    from_sets as from_sets,
    from_values as from_values,
    from_wide as from_wide,
)
from iaa_jax.data.build_ranked import from_ranked as from_ranked
from iaa_jax.data.schema import mass as mass, summary as summary, validate as validate
from iaa_jax.data.select import keep_annotators as keep_annotators, keep_labels as keep_labels
from iaa_jax.engine.precision import DType
from iaa_jax.engine.rows import Progress
from iaa_jax.io.reading import formats as formats, read as read
from iaa_jax.measure.interval import Interval as Interval, IntervalLike
from iaa_jax.measure.label_options import Distance, Weights
from iaa_jax.measure.request import CoefficientLike
from iaa_jax.measure.sampling import Sampling as Sampling

def agreement(
    ratings: xr.Dataset,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Several coefficients at once, with standard errors and intervals.

    All are computed on the same replicates; a coefficient asked for alone has the same figures.
    """

def contingency(
    ratings: xr.Dataset,
    *,
    annotators: Sequence[object] | None = None,
    p: float = 1.0,
) -> xr.Dataset:
    """What lies behind a kappa: tables of labels, prevalence, bias, ceilings and margins.

    Of two annotators with the table n_kl (labels of the first in rows, shares p_1k and p_2k):
    specific agreement on k is ``2 n_kk / (n_k. + n_.k)``; prevalence of k is ``p_1k + p_2k - 1``
    and bias ``p_1k - p_2k``: for two labels a table a, b / c, d has the prevalence index
    ``(a - d) / n`` and the bias index ``(b - c) / n``, those of its first label. ``kappa_max`` is
    ``(sum_k min(p_1k, p_2k) - P_e) / (1 - P_e)``, the largest kappa that these margins allow;
    ``pabak`` is ``(L P_o - 1) / (L - 1)`` for L labels. ``davies_fleiss`` is

        1 - (I J^2 - sum_ic Y_ic^2) / (I (J (J - 1) sum_c p_c (1 - p_c) + sum_cj (p_cj - p_c)^2))

    for I items, J annotators and Y_ic ratings of item i with label c. I multiplies the whole
    denominator. It needs every rating, and is then Conger's kappa: the pooled one, not the mean
    of the pairs' kappas (``mean_pairwise_kappa``), which differs a little.
    """

def in_words(
    source: xr.Dataset | float,
    scale: str = "landis_koch",
    *,
    standard_error: float | None = None,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    method: str = "auto",
    certainty: float = 0.95,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    replicates: int = 2000,
    seed: int = 0,
) -> xr.Dataset:
    """A word for each coefficient: that of the estimate, and the best that is certain.

    The word of the estimate ignores that another sample of items would give another estimate.
    Gwet's probabilistic benchmarking gives each band a probability; the word reached is the best
    one whose band and all better ones together have 95 %.
    """

def bootstrap(
    ratings: xr.Dataset,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    sampling: Sampling | None = None,
    replicates: int = 2000,
    seed: int = 0,
    dtype: DType = "float64",
    errors: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """The bootstrap replicates of a coefficient, over items drawn with replacement.

    With the same seed the intervals of `iaa_jax.agreement` use the same replicates. Several
    coefficients are computed on one draw, so that their differences can be taken row by row. The
    result can be saved (``to_netcdf``) and read again (``xarray.load_dataset``) for
    `iaa_jax.intervals` and `iaa_jax.probability_above`.
    """

def intervals(
    drawn: xr.Dataset,
    method: str = "auto",
    *,
    confidence: float = 0.95,
    transform: str | None = None,
) -> xr.Dataset:
    """Intervals from replicates that exist already: nothing is computed again."""

def covariance(
    ratings: xr.Dataset,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    seed: int = 0,
) -> xr.Dataset:
    """The covariance of several coefficients on the same items, and simultaneous intervals.

    With g_ki the derivative of coefficient k with respect to the weight of item i, c_i that weight,
    n their sum and gbar_k the weighted mean, the covariance is the infinitesimal jackknife's

    ``C_kl = n / (n - 1) sum_i c_i (g_ki - gbar_k)(g_li - gbar_l)``

    and the band is ``t_k +- q sqrt(C_kk)``, q the quantile of the largest absolute value of
    variables with Student's t distribution and the correlations of C (max-t): with the given
    confidence all coefficients lie in it at once.
    """

def zero_agreement(
    ratings: xr.Dataset,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    per_label: bool = False,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    null: str = "auto",
    alternative: str = "two-sided",
    permutations: int = 999,
    seed: int = 0,
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
    """

def items(
    ratings: xr.Dataset,
    coefficient: CoefficientLike | None = None,
    *,
    top: int | None = None,
    sort: str | None = None,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
) -> xr.Dataset:
    """Every item: its agreement, the spread of its labels, and its influence on a coefficient.

    Of an item with label shares p_l (the mean over its ratings) of L labels: ``entropy`` is
    ``-sum_l p_l ln p_l / ln L`` and ``gini`` is ``(1 - sum_l p_l^2) L / (L - 1)``, both 0 where
    raters are unanimous and 1 where labels are equally frequent. ``agreement`` is the mean
    agreement of the item's pairs of ratings; its mean over items is percent agreement. Each
    different label set counts as a label here.
    """

def annotators(
    ratings: xr.Dataset,
    coefficient: CoefficientLike | None = None,
    *,
    top: int | None = None,
    sort: str | None = None,
    min_items: int = 0,
    ties: str = "split",
    annotator_weight: ArrayLike | None = None,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    interval: IntervalLike = "auto",
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Every annotator: agreement with the others, bias, and the coefficient without them.

    With m_a an annotator's label (as shares), q_i the shares of the others' labels on item i, D the
    disagreement of labels, and all means over the items that both annotator a and somebody else
    rated: ``kappa`` is ``1 - mean_i m_ai' D q_i / (p_a' D q)``, where p_a and q are the means of
    m_ai and of q_i (the annotator as one rater, the rest of the group as the other); ``agreement``
    is the share of comparisons with another annotator's rating that agree; ``majority_agreement``
    is the share of items where a chose the others' most frequent label; ``bias`` of a label is p_a
    - q.
    """

def labels(
    ratings: xr.Dataset,
    coefficient: CoefficientLike | None = None,
    *,
    top: int | None = None,
    sort: str | None = None,
    p: float = 1.0,
    min_common: int = 2,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Every label: its share, agreement on it, a coefficient for it alone, and its confusions.

    The coefficient of a label takes it against all others together (a binary problem). For label
    sets it asks whether the label is in the set. Coincidences ``o_kl`` count pairs of ratings of
    the same item with labels k and l, each item by its ratings: ``sum_i w_i sum_{a != b} m_ak m_bl
    / (n_i - 1)``; ``expected`` is the same for ratings paired at random (self-pairs left out), and
    ``lift`` is o / e: below 1 off the diagonal where raters tell two labels apart better than
    chance.
    """

def agreement_by(
    ratings: xr.Dataset,
    by: str,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Coefficients in each group of items, or among the annotators of each group.

    In a group what belongs to it has a weight of 1, and all else 0: labels, and their number, stay
    those of all ratings. Replicates are drawn within the group.
    """

def influence(
    ratings: xr.Dataset,
    coefficient: CoefficientLike | None = None,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    dtype: DType = "float64",
) -> xr.Dataset:
    """How much each item moves a coefficient, from the derivative by its weight.

    With g_i the derivative of the estimate with respect to the weight of item i, w_i that weight, n
    the sum of the weights of rated items and gbar the weighted mean of g, the influence is ``U_i =
    n (g_i - gbar)``: positive where the item raises the coefficient. The weighted mean of U is 0,
    and ``sqrt(sum w U^2 / (n (n - 1)))`` is the standard error. Without the item the estimate
    changes by ``-w_i g_i``, to first order.
    """

def label_sets(
    ratings: xr.Dataset,
    *,
    bands: Sequence[tuple[float, float]] = ((0.7, 1.0),),
    bins: int = 10,
    index: str = "percent_agreement",
    min_common: int = 2,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Label sets as a whole: coefficients, items, annotators, and pairs of labels.

    Two annotators with k matching labels of C agree on ``k (k - 1) / (C (C - 1))`` of the label
    pairs; joint absence of a label is a match. ``item_agreement`` P_i is the mean over the item's
    pairs of annotators, P_o the mean of P_i over items, and A_m is P_o beyond chance.
    """

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
    """Coefficients of each label alone, as present or absent in a rating.

    Of label sets, a label is present in a rating or absent; of single labels, it is the one chosen
    or not. A rating that does not hold the label counts as "absent", a missing one as missing.
    """

def sweep(
    ratings: xr.Dataset,
    coefficient: CoefficientLike | None = None,
    *,
    p: object = 51,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    min_common: int = 2,
    normalize: str = "none",
    pool: str = "pairs",
    undefined_pairs: str = "omit",
    tau: float = 0.05,
    high: float = 0.6,
    interval: IntervalLike = "auto",
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    dtype: DType = "float64",
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """A coefficient as a function of p, the share of the primary label, from 0.5 to 1.

    At p = 1 secondary labels are ignored, at p = 0.5 both labels count the same. Every sum behind a
    coefficient is a polynomial in p, so that a few p fix the whole curve; the same draws of items
    serve every p. Labels stay the same over the sweep: one that is only used as a secondary label
    still counts at p = 1.
    """

def compare(
    a: xr.Dataset,
    b: xr.Dataset | None = None,
    coefficients: Coefficients = None,
    *,
    by: str | None = None,
    between: Sequence[object] | None = None,
    names: Sequence[str] | None = None,
    paired: bool | Literal["auto"] = "auto",
    per_label: bool = False,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    permutations: int = 2000,
    margin: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Compare the agreement of two sets of ratings: the difference B - A, its interval, and tests.

    Items are random, annotators fixed. Paired sets (the same items, rated by two panels, under two
    guidelines, or twice) draw items of both together, so that what makes an item hard cancels out.
    Independent sets are drawn separately. Both sets are measured on the labels of both together, so
    that coefficients that count labels see the same number.
    """

def plan(
    ratings: xr.Dataset,
    coefficient: CoefficientLike | None = None,
    *,
    half_width: float | None = None,
    null: float | None = None,
    power: float | None = None,
    items: Sequence[int] | None = None,
    per_item: Sequence[int] | None = None,
    population: float | None = None,
    cost_item: float = 0.0,
    cost_rating: float = 1.0,
    looks: int | Sequence[float] | None = None,
    spending: str = "obrien_fleming",
    exponent: float = 2.0,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    confidence: float = 0.95,
    seed: int = 0,
    replicates: int = 500,
    simulations: int = 500,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """How many items and annotators a target needs, from a pilot.

    With U_i the influences of the pilot's n items, the variance of an item is ``V = sum U_i^2 / (n
    - 1)``, and the standard error of N items ``sqrt(V / N)``. With m ratings per item it is ``V(m)
    = a + b / m + c / (m (m - 1))``, found by leaving out ratings of the pilot (any of an item's, or
    whole annotators where the coefficient depends on who rated). Only more items reduce the part
    from a. Some designs are checked on simulated ratings.
    """

def interim_looks(
    looks: int | Sequence[float],
    *,
    confidence: float = 0.95,
    spending: str = "obrien_fleming",
    exponent: float = 2.0,
    items: float | None = None,
) -> xr.Dataset:
    """When to look at the figures during annotation, and how far the interval reaches then.

    Looking at a 95 % interval five times, and stopping at will, errs far more often than once in
    twenty. An error-spending function says how much of the error ``alpha = 1 - confidence`` may be
    spent when a share t of the items is there; the boundary of each look is the multiple of the
    standard error that spends just that. The interval ``estimate +- z SE`` with the z of the look
    (a repeated confidence interval) then holds at all looks together with the given confidence,
    whenever one stops.

    With ``a(t)`` the error spent on each side:

    - "obrien_fleming": ``a(t) = 2 (1 - Phi(z_{alpha/4} / sqrt(t)))``, hardly anything early;
    - "pocock": ``a(t) = alpha / 2 log(1 + (e - 1) t)``, about the same boundary each time;
    - "power": ``a(t) = alpha / 2 t^exponent``.
    """

def drift(
    ratings: xr.Dataset,
    by: str = "time",
    coefficient: CoefficientLike | None = None,
    *,
    order: Sequence[object] | None = None,
    bandwidth: float | str | np.timedelta64 | None = None,
    points: int = 50,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    interval: IntervalLike = "auto",
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    permutations: int = 999,
    progress: Progress | None = None,
) -> xr.Dataset:
    """How agreement changes over time or from batch to batch, and whether it changes at all.

    Along ``point`` are local estimates: of each batch, or in windows in time, where an item counts
    with its weight times ``1 - ((t_i - t) / h)^2`` (Epanechnikov), h the bandwidth, and the weights
    are scaled to ``(sum w)^2 / sum w^2`` items (Kish). Windows are not reflected at the ends: there
    they reach inwards only. Along ``cut`` is the coefficient before and after each of up to 200
    cuts; between batches the means of the batches' estimates, weighted by 1 / SE^2. A p-value is
    the larger of two: one from local estimates and their errors, which allows for labels that
    become rarer or more frequent, and one from shuffling the times among the items.
    """

def percent_agreement(
    ratings: xr.Dataset,
    *,
    aggregation: str = "item_mean",
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
) -> xr.Dataset:
    """Percent agreement.

    Share of agreeing pairs of ratings, the mean over items. Ignores chance.

    A = sum_i w_i (agree_i / pairs_i) / sum_i w_i, over pairable items

    Range: 0 to 1. Undefined: no item with two ratings.
    """

def specific_agreement(
    ratings: xr.Dataset,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
) -> xr.Dataset:
    """Specific agreement.

    Agreement on each label: of the ratings beside a rating c, the share that is c.

    P_c = sum_i w_i r_ic (r_ic - 1) / sum_i w_i r_ic (n_i - 1), for single labels

    Range: 0 to 1, one figure per label. Undefined: nobody used the label on an item with two
    ratings.
    """

def cohen_kappa(
    ratings: xr.Dataset,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
) -> xr.Dataset:
    """Cohen's kappa.

    Two annotators, each with label margins of their own, on their common items.

    1 - D_o / D_e, D_e = p_1' D p_2, margins on the common items

    Range: -1 to 1 (the lower end only where expected agreement is 1/2). Undefined: no common item;
    both annotators used one and the same label only (0/0).
    """

def mean_pairwise_cohen_kappa(
    ratings: xr.Dataset,
    *,
    undefined_pairs: str = "omit",
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
) -> xr.Dataset:
    """Mean pairwise kappa.

    Light's kappa: the mean of Cohen's kappa over the pairs of annotators.

    mean over pairs a < b of kappa_ab, weighted v_a v_b

    Range: -1 to 1. Undefined: no pair with enough common items; kappa 0/0 for every pair.
    """

def scott_pi(
    ratings: xr.Dataset,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
) -> xr.Dataset:
    """Scott's pi.

    Two annotators, one label margin for both.

    1 - D_o / D_e, D_e = pi' D pi, pi_l = mean over rated items of r_il / n_i

    Range: -1 to 1. Undefined: no item with two ratings; every rating on one label (0/0).
    """

def fleiss_kappa(
    ratings: xr.Dataset,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
) -> xr.Dataset:
    """Fleiss' kappa.

    Any number of annotators, one label margin for all (Siegel and Castellan).

    1 - D_o / D_e, D_e = pi' D pi, pi_l = mean over rated items of r_il / n_i

    Range: -1/(n - 1) to 1 for n ratings per item. Undefined: no item with two ratings; every rating
    on one label (0/0).
    """

def conger_kappa(
    ratings: xr.Dataset,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
) -> xr.Dataset:
    """Conger's kappa.

    Any number of annotators, each with label margins of their own.

    1 - D_o / D_e, D_e = mean over pairs a < b (v_a v_b) of p_a' D p_b, own ratings

    Range: below 0 to 1. Undefined: no item with two ratings; every rating on one label (0/0).
    """

def davies_fleiss_kappa(
    ratings: xr.Dataset,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
) -> xr.Dataset:
    """Davies and Fleiss' kappa.

    Observed and expected agreement pooled over pairs, each on its common items.

    1 - mean D_o,ab / mean D_e,ab over pairs (v_a v_b), each on its common items

    Range: below 0 to 1. Undefined: no pair with enough common items; every rating on one label
    (0/0).
    """

def brennan_prediger(
    ratings: xr.Dataset,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
) -> xr.Dataset:
    """Brennan-Prediger.

    Every label equally likely by chance (Bennett's S, Randolph's kappa, PABAK).

    The same coefficient as `bennett_s`, `randolph_kappa`, `pabak`.

    (A - E) / (1 - E), E = sum(S) / L^2 for L labels: 1 / L when unweighted

    Range: -1/(L - 1) to 1 when unweighted. Undefined: no item with two ratings; only one label.
    """

def bennett_s(
    ratings: xr.Dataset,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
) -> xr.Dataset:
    """Brennan-Prediger.

    Every label equally likely by chance (Bennett's S, Randolph's kappa, PABAK).

    The same coefficient as `brennan_prediger`, `randolph_kappa`, `pabak`.

    (A - E) / (1 - E), E = sum(S) / L^2 for L labels: 1 / L when unweighted

    Range: -1/(L - 1) to 1 when unweighted. Undefined: no item with two ratings; only one label.
    """

def randolph_kappa(
    ratings: xr.Dataset,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
) -> xr.Dataset:
    """Brennan-Prediger.

    Every label equally likely by chance (Bennett's S, Randolph's kappa, PABAK).

    The same coefficient as `brennan_prediger`, `bennett_s`, `pabak`.

    (A - E) / (1 - E), E = sum(S) / L^2 for L labels: 1 / L when unweighted

    Range: -1/(L - 1) to 1 when unweighted. Undefined: no item with two ratings; only one label.
    """

def pabak(
    ratings: xr.Dataset,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
) -> xr.Dataset:
    """Brennan-Prediger.

    Every label equally likely by chance (Bennett's S, Randolph's kappa, PABAK).

    The same coefficient as `brennan_prediger`, `bennett_s`, `randolph_kappa`.

    (A - E) / (1 - E), E = sum(S) / L^2 for L labels: 1 / L when unweighted

    Range: -1/(L - 1) to 1 when unweighted. Undefined: no item with two ratings; only one label.
    """

def gwet_ac1(
    ratings: xr.Dataset,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
) -> xr.Dataset:
    """Gwet's AC1.

    Counts chance agreement only on hard items; high where one label is rare.

    (A - E) / (1 - E), E = sum_l pi_l (1 - pi_l) / (L - 1)

    Range: -1/(L - 1) to 1. Undefined: no item with two ratings; only one label.
    """

def gwet_ac2(
    ratings: xr.Dataset,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
) -> xr.Dataset:
    """Gwet's AC2.

    AC1 with an agreement between labels.

    (A - E) / (1 - E), E = sum(S) sum_l pi_l (1 - pi_l) / (L (L - 1))

    Range: below 0 to 1. Undefined: no item with two ratings; only one label.
    """

def krippendorff_alpha(
    ratings: xr.Dataset,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
) -> xr.Dataset:
    """Krippendorff's alpha.

    Any number of annotators, gaps, and labels that are names, ranks or numbers.

    1 - D_o / D_e, D_o = sum_i w_i n_i d_i / sum_i w_i n_i with d_i the mean distance of the item's
    pairs, D_e = the mean distance of all pairs of ratings, self-pairs left out

    Range: below 0 to 1. Undefined: no item with two ratings; every rating on one label (0/0).
    """

def augmented_kappa(
    ratings: xr.Dataset,
    *,
    normalize: str = "none",
    pool: str = "pairs",
    undefined_pairs: str = "omit",
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
) -> xr.Dataset:
    """Augmented kappa.

    Cohen's kappa on divided labels: a primary label holds p of a rating, the secondary one 1 - p.
    The mean over pairs of annotators.

    mean over pairs a < b (v_a v_b) of (A - E) / (1 - E), A = mean_i m_ia' S m_ib and E = p_a' S p_b
    on the pair's common items; A reaches c = 1 - 2 d p (1 - p) at most, d the share of doubles

    Range: below 0 to (c - E) / (1 - E); with normalize='ceiling' to 1. Undefined: no pair with
    enough common items; 0/0 for every pair.
    """

def am_agreement(
    ratings: xr.Dataset,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
) -> xr.Dataset:
    """A_m.

    Agreement of label sets, beyond chance from each annotator's own margins: the share of label
    pairs on which both indicators match. Joint absence counts as agreement.

    (P_o - P_e) / (1 - P_e), P_o = mean over items and pairs of annotators (v_a v_b) of k (k - 1) /
    (C (C - 1)), k the labels of C on which the two match; P_e = mean over pairs a, b (v_a v_b) and
    label pairs of sum_g P_a(g) P_b(g), g = 00, 01, 10, 11

    Range: below 0 to 1. Undefined: no item with two ratings; every rating the same set (0/0); one
    label only.
    """

def icc1(
    ratings: xr.Dataset,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
) -> xr.Dataset:
    """ICC(1).

    Numbers: share of variance between items; whoever rates, one rating per item.

    s / (s + e), s = (MSB - MSW) / k_0, e = MSW of the one-way analysis of variance

    Range: -1/(k_0 - 1) to 1. Undefined: no item with two ratings; one item; all ratings the same
    number.
    """

def icc1k(
    ratings: xr.Dataset,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
) -> xr.Dataset:
    """ICC(1,k).

    ICC(1) of the mean of an item's k_0 ratings.

    s / (s + e / k_0) = (MSB - MSW) / MSB, s = (MSB - MSW) / k_0, e = MSW of the one-way analysis of
    variance

    Range: any number up to 1. Undefined: no item with two ratings; one item; all ratings the same
    number; items with the same mean rating.
    """

def icc2(
    ratings: xr.Dataset,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
) -> xr.Dataset:
    """ICC(2).

    Numbers, the same annotators on every item: absolute agreement of one rating.

    s / (s + r + e), s = (MSR - MSE) / k, r = (MSC - MSE) / n, e = MSE over items that all rated

    Range: below 0 to 1. Undefined: no item that every annotator rated, or only one; all ratings the
    same number.
    """

def icc2k(
    ratings: xr.Dataset,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
) -> xr.Dataset:
    """ICC(2,k).

    ICC(2) of the mean of all k annotators.

    s / (s + (r + e) / k), s = (MSR - MSE) / k, r = (MSC - MSE) / n, e = MSE over items that all
    rated

    Range: any number up to 1. Undefined: no item that every annotator rated, or only one; all
    ratings the same number; items with the same mean rating.
    """

def icc3(
    ratings: xr.Dataset,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
) -> xr.Dataset:
    """ICC(3).

    Numbers, the same annotators on every item: consistency of one rating.

    s / (s + e), s = (MSR - MSE) / k, r = (MSC - MSE) / n, e = MSE over items that all rated

    Range: -1/(k - 1) to 1. Undefined: no item that every annotator rated, or only one; all ratings
    the same number.
    """

def icc3k(
    ratings: xr.Dataset,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
) -> xr.Dataset:
    """ICC(3,k).

    ICC(3) of the mean of all k annotators (Cronbach's alpha).

    s / (s + e / k) = (MSR - MSE) / MSR, s = (MSR - MSE) / k, r = (MSC - MSE) / n, e = MSE over
    items that all rated

    Range: any number up to 1. Undefined: no item that every annotator rated, or only one; all
    ratings the same number; items with the same mean rating.
    """

def lin_ccc(
    ratings: xr.Dataset,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
) -> xr.Dataset:
    """Lin's concordance.

    Numbers of two annotators, or pooled over pairs (overall concordance).

    1 - sum_ab mean (x_a - x_b)^2 / sum_ab (s_a^2 + s_b^2 + (mean_a - mean_b)^2) over pairs a < b
    (v_a v_b), each on its common items, variances over n

    Range: -1 to 1 for two annotators. Undefined: no pair with enough common items; all ratings the
    same number (0/0).
    """

def hubert_kappa(
    ratings: xr.Dataset,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
) -> xr.Dataset:
    """Hubert's kappa.

    Annotators agree on an item only where all of them do; own label margins.

    (A - E) / (1 - E), A = share of unanimous items, E = sum_l prod_a p_al

    Range: below 0 to 1; -1 to 1 for two annotators. Undefined: no item that every annotator rated;
    every rating on one label (0/0).
    """

def bangdiwala_b(
    ratings: xr.Dataset,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
) -> xr.Dataset:
    """Bangdiwala's B.

    Two annotators: the agreed share of the area of their agreement chart.

    sum_l n_ll^2 / sum_l n_l. n_.l; with near misses sum_ljk n_lj n_kl min(S_lj, S_lk) / sum_l n_l.
    n_.l

    Range: 0 to 1. Undefined: no common item; no label that both annotators used (0/0).
    """

def van_oest_ir2(
    ratings: xr.Dataset,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    interval: IntervalLike = "auto",
    sampling: Sampling | None = None,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    undefined: str = "nan",
    dtype: DType = "float64",
) -> xr.Dataset:
    """Van Oest's Ir2.

    Fleiss' kappa with a uniform prior on the labels; for very unequal labels.

    1 - D_o / D_e, D_e = pi' D pi, pi_l = (N_l + 1) / (N + L) over all ratings

    Range: below 0 to 1. Undefined: no item with two ratings; only one label.
    """

__version__: str
