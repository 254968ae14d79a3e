# Written by tools/generate.py from the lists of coefficients and of analyses.
"""The public names; `__init__.py` loads the same ones lazily."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias, TypedDict, Unpack

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import ArrayLike

from iaa_jax import data as data, doubles as doubles, kernels as kernels
from iaa_jax._errors import IaaError as IaaError
from iaa_jax._types import PathLike
from iaa_jax.analyses import page as page
from iaa_jax.analyses.agree.page_of_methods import methods as methods
from iaa_jax.analyses.compare.study import Coefficients
from iaa_jax.analyses.gold.spans import SpanKey
from iaa_jax.analyses.sharpen.settings import Several
from iaa_jax.data.build import from_long as from_long, from_wide as from_wide
from iaa_jax.data.build_counts import (
    from_contingency as from_contingency,
    from_counts as from_counts,
)
from iaa_jax.data.build_mass import from_mass as from_mass
from iaa_jax.data.build_ranked import from_ranked as from_ranked
from iaa_jax.data.build_sets import from_sets as from_sets, from_values as from_values
from iaa_jax.data.schema import summary as summary
from iaa_jax.data.spans import from_spans as from_spans
from iaa_jax.engine.devices import Device
from iaa_jax.engine.precision import DType
from iaa_jax.engine.rows import Progress
from iaa_jax.io.registry import formats as formats
from iaa_jax.measure.options.interval import Interval as Interval
from iaa_jax.measure.options.label_options import Distance, Weights
from iaa_jax.measure.options.sampling import Sampling as Sampling
from iaa_jax.measure.requests.resolver import CoefficientLike
from iaa_jax.overview.plotting import plot as plot
from iaa_jax.pages import Page
from iaa_jax.scale.partitions import from_dask as from_dask
from iaa_jax.scale.scanning import scan as scan

_Duplicates: TypeAlias = Literal["error", "first", "last", "combine", "apart", "votes"]

_Skipped: TypeAlias = Literal["missing", "category", "drop"]

_Empty: TypeAlias = Literal["answered", "missing"]

_WeightsOn: TypeAlias = Literal["value", "rank"]

_Level: TypeAlias = Literal["nominal", "ordinal", "interval", "ratio"]

_Interval: TypeAlias = Literal[
    "auto",
    "percentile",
    "basic",
    "bca",
    "studentized",
    "empirical_bayes",
    "abc",
    "normal",
    "t",
    "kurtosis_t",
    "likelihood",
    "f",
    "modified_large_sample",
    "widened_large_sample",
]

_Undefined: TypeAlias = Literal["nan", "one", "zero", "raise"]

class ReadOptions(TypedDict, total=False):
    """Options of `read`."""

    item: str | Sequence[str] | None
    annotator: str | None
    label: str | None
    secondary: str | None
    annotators: str | Sequence[str] | None
    counts: str | Sequence[str] | None
    one_hot: str | Sequence[str] | None
    multi_hot: str | Sequence[str] | None
    strength: str | None
    anonymous: bool
    unordered: bool
    records: str | None
    header_line: int | None
    file_pattern: str | None
    encoding: str | None
    max_megabytes: int
    format: str | None
    question: str | None
    labels: str | Sequence[object] | None
    missing: str | Sequence[object] | None
    blank: str | None
    merge_labels: str | Sequence[str] | None
    merge_ids: str | Sequence[str] | None
    separator: str | None
    duplicates: _Duplicates
    skipped: _Skipped
    empty: _Empty
    exclude: str | Sequence[str] | None
    join: PathLike | None
    include: str | Sequence[str] | None

class ReadLongOptions(TypedDict, total=False):
    """Options of `read_long`."""

    item: str | Sequence[str] | None
    annotator: str | None
    label: str | None
    secondary: str | None
    annotators: str | Sequence[str] | None
    counts: str | Sequence[str] | None
    one_hot: str | Sequence[str] | None
    multi_hot: str | Sequence[str] | None
    strength: str | None
    anonymous: bool
    unordered: bool
    records: str | None
    header_line: int | None
    file_pattern: str | None
    encoding: str | None
    max_megabytes: int
    format: str | None
    question: str | None
    labels: str | Sequence[object] | None
    missing: str | Sequence[object] | None
    blank: str | None
    merge_labels: str | Sequence[str] | None
    merge_ids: str | Sequence[str] | None
    separator: str | None
    exclude: str | Sequence[str] | None
    join: PathLike | None
    include: str | Sequence[str] | None

class ReadSpansOptions(TypedDict, total=False):
    """Options of `read_spans`."""

    item: str | Sequence[str] | None
    annotator: str | None
    file_pattern: str | None
    encoding: str | None
    max_megabytes: int
    format: str | None
    question: str | None
    labels: str | Sequence[object] | None
    merge_labels: str | Sequence[str] | None
    merge_ids: str | Sequence[str] | None
    duplicates: _Duplicates
    skipped: _Skipped
    empty: _Empty
    exclude: str | Sequence[str] | None
    include: str | Sequence[str] | None

class AgreementOptions(TypedDict, total=False):
    """Options of `agreement` and 9 more."""

    weights: Weights
    weights_on: _WeightsOn
    level: _Level | None
    distance: Distance
    p: float
    min_common: int
    interval: _Interval | Interval | None
    sampling: Sampling | None
    confidence: float
    replicates: int
    seed: int
    undefined: _Undefined
    dtype: DType
    device: Device | None

class PercentAgreementOptions(TypedDict, total=False):
    """Options of `percent_agreement` and 27 more."""

    weights: Weights
    weights_on: _WeightsOn
    level: _Level | None
    distance: Distance
    p: float
    interval: _Interval | Interval | None
    sampling: Sampling | None
    confidence: float
    replicates: int
    seed: int
    undefined: _Undefined
    dtype: DType
    device: Device | None

class SpanF1Options(TypedDict, total=False):
    """Options of `span_f1` and 1 more."""

    interval: _Interval | Interval | None
    sampling: Sampling | None
    confidence: float
    replicates: int
    seed: int
    undefined: _Undefined
    dtype: DType
    device: Device | None

class AgreeQuestionsOptions(TypedDict, total=False):
    """Options of `agree_questions`."""

    weights: Weights
    weights_on: _WeightsOn
    distance: Distance
    p: float
    min_common: int
    interval: _Interval | Interval | None
    sampling: Sampling | None
    confidence: float
    replicates: int
    seed: int
    undefined: _Undefined
    dtype: DType
    device: Device | None

class ContingencyOptions(TypedDict, total=False):
    """Options of `contingency`."""

    p: float

class InWordsOptions(TypedDict, total=False):
    """Options of `in_words`."""

    weights: Weights
    weights_on: _WeightsOn
    level: _Level | None
    distance: Distance
    p: float
    min_common: int
    interval: _Interval | Interval | None
    sampling: Sampling | None
    replicates: int
    seed: int
    device: Device | None

class BootstrapOptions(TypedDict, total=False):
    """Options of `bootstrap`."""

    weights: Weights
    weights_on: _WeightsOn
    level: _Level | None
    distance: Distance
    p: float
    min_common: int
    sampling: Sampling | None
    replicates: int
    seed: int
    dtype: DType
    device: Device | None

class BootstrapOfResultOptions(TypedDict, total=False):
    """Options of `bootstrap_of_result`."""

    weights: Weights
    weights_on: _WeightsOn
    level: _Level | None
    distance: Distance
    p: float
    min_common: int
    interval: _Interval | Interval | None
    sampling: Sampling | None
    replicates: int
    seed: int
    dtype: DType
    device: Device | None

class BootstrapIntervalsOptions(TypedDict, total=False):
    """Options of `bootstrap_intervals` and 1 more."""

    confidence: float

class CovarianceOptions(TypedDict, total=False):
    """Options of `covariance` and 2 more."""

    weights: Weights
    weights_on: _WeightsOn
    level: _Level | None
    distance: Distance
    p: float
    min_common: int
    sampling: Sampling | None
    confidence: float
    seed: int

class ZeroAgreementOptions(TypedDict, total=False):
    """Options of `zero_agreement`."""

    weights: Weights
    weights_on: _WeightsOn
    level: _Level | None
    distance: Distance
    p: float
    min_common: int
    sampling: Sampling | None
    seed: int
    device: Device | None

class ItemsOptions(TypedDict, total=False):
    """Options of `items`."""

    weights: Weights
    weights_on: _WeightsOn
    level: _Level | None
    distance: Distance
    p: float
    min_common: int

class AnnotatorsOptions(TypedDict, total=False):
    """Options of `annotators`."""

    weights: Weights
    weights_on: _WeightsOn
    level: _Level | None
    distance: Distance
    p: float
    min_common: int
    interval: _Interval | Interval | None
    sampling: Sampling | None
    confidence: float
    replicates: int
    seed: int
    device: Device | None

class AnnotatorsRepeatsOptions(TypedDict, total=False):
    """Options of `annotators_repeats` and 1 more."""

    weights: Weights
    weights_on: _WeightsOn
    level: _Level | None
    distance: Distance
    p: float
    min_common: int
    interval: _Interval | Interval | None
    sampling: Sampling | None
    confidence: float
    replicates: int
    seed: int
    dtype: DType
    device: Device | None

class LabelsOptions(TypedDict, total=False):
    """Options of `labels`."""

    level: _Level | None
    p: float
    min_common: int
    interval: _Interval | Interval | None
    sampling: Sampling | None
    confidence: float
    replicates: int
    seed: int
    dtype: DType
    device: Device | None

class LabelsMergesOptions(TypedDict, total=False):
    """Options of `labels_merges` and 3 more."""

    weights: Weights
    weights_on: _WeightsOn
    level: _Level | None
    distance: Distance
    p: float
    min_common: int
    sampling: Sampling | None
    confidence: float
    seed: int
    device: Device | None

class InfluenceOptions(TypedDict, total=False):
    """Options of `influence`."""

    weights: Weights
    weights_on: _WeightsOn
    level: _Level | None
    distance: Distance
    p: float
    min_common: int
    dtype: DType

class FindingsOptions(TypedDict, total=False):
    """Options of `findings`."""

    weights: Weights
    weights_on: _WeightsOn
    level: _Level | None
    distance: Distance
    p: float
    min_common: int
    confidence: float
    seed: int

class LabelSetsOptions(TypedDict, total=False):
    """Options of `label_sets` and 1 more."""

    min_common: int
    interval: _Interval | Interval | None
    sampling: Sampling | None
    confidence: float
    replicates: int
    seed: int
    dtype: DType
    device: Device | None

class SweepOptions(TypedDict, total=False):
    """Options of `sweep`."""

    weights: Weights
    weights_on: _WeightsOn
    level: _Level | None
    distance: Distance
    min_common: int
    interval: _Interval | Interval | None
    sampling: Sampling | None
    confidence: float
    replicates: int
    seed: int
    dtype: DType
    device: Device | None

class GoldOptions(TypedDict, total=False):
    """Options of `gold`."""

    interval: _Interval | Interval | None
    sampling: Sampling | None
    confidence: float
    seed: int
    device: Device | None

class PanelsWhatIfOptions(TypedDict, total=False):
    """Options of `panels_what_if`."""

    weights: Weights
    weights_on: _WeightsOn
    level: _Level | None
    distance: Distance
    p: float
    min_common: int
    seed: int
    device: Device | None

class MissingOptions(TypedDict, total=False):
    """Options of `missing`."""

    weights: Weights
    weights_on: _WeightsOn
    level: _Level | None
    distance: Distance
    p: float
    min_common: int
    confidence: float
    seed: int
    device: Device | None

class MissingInverseProbabilityOptions(TypedDict, total=False):
    """Options of `missing_inverse_probability`."""

    weights: Weights
    weights_on: _WeightsOn
    level: _Level | None
    distance: Distance
    p: float
    min_common: int
    confidence: float

class JudgeAgainstGoldOptions(TypedDict, total=False):
    """Options of `judge_against_gold` and 1 more."""

    p: float
    sampling: Sampling | None
    confidence: float
    seed: int
    device: Device | None

class JudgedScoresOptions(TypedDict, total=False):
    """Options of `judged_scores`."""

    p: float
    sampling: Sampling | None
    confidence: float

class ProdigyOptions(TypedDict, total=False):
    """Options of `prodigy`."""

    interval: _Interval | Interval | None
    sampling: Sampling | None
    confidence: float
    replicates: int
    seed: int
    dtype: DType
    device: Device | None

def read(
    paths: PathLike | Sequence[PathLike],
    *,
    keep: str | Sequence[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Unpack[ReadOptions],
) -> xr.Dataset:
    """Read ratings from one or several files."""

def read_long(
    paths: PathLike | Sequence[PathLike],
    *,
    duplicates: str = "keep",
    keep: str | Sequence[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Unpack[ReadLongOptions],
) -> pd.DataFrame:
    """Read files as a tidy long table, with a row for each judgement or span."""

def read_spans(
    paths: PathLike | Sequence[PathLike],
    *,
    keep: str | Sequence[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Unpack[ReadSpansOptions],
) -> xr.Dataset:
    """Read spans from the export of an annotation tool, or from a table of spans."""

def agreement(
    ratings: xr.Dataset,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    progress: Callable[[int, int], None] | None = None,
    **options: Unpack[AgreementOptions],
) -> xr.Dataset:
    """Measure several coefficients; `iaa_jax.agree` returns all that ``iaa agree`` prints."""

def agreement_by(
    ratings: xr.Dataset,
    by: str,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    progress: Callable[[int, int], None] | None = None,
    **options: Unpack[AgreementOptions],
) -> xr.Dataset:
    """Measure coefficients in each group of items, or among the annotators of each group."""

def report(
    ratings: xr.Dataset,
    coefficients: str | Sequence[str] | None = None,
    *,
    title: str | None = None,
    sections: Sequence[str] | None = None,
    brief: bool = False,
    scale: str | None = None,
    judges: str | Sequence[str] = (),
    by: str | None = None,
    keep: str | Sequence[str] | None = None,
    texts: bool = True,
    progress: Callable[[int, int], None] | None = None,
    **options: Unpack[AgreementOptions],
) -> Page:
    """Report all results for the ratings on one page: ``report(ratings).save("report.html")``."""

def percent_agreement(
    ratings: xr.Dataset, *, average: str = "item_mean", **options: Unpack[PercentAgreementOptions]
) -> xr.Dataset:
    """Percent agreement."""

def specific_agreement(
    ratings: xr.Dataset, *, average: str = "auto", **options: Unpack[PercentAgreementOptions]
) -> xr.Dataset:
    """Specific agreement."""

def cohen_kappa(ratings: xr.Dataset, **options: Unpack[PercentAgreementOptions]) -> xr.Dataset:
    """Cohen's kappa."""

def mean_pairwise_cohen_kappa(
    ratings: xr.Dataset, *, undefined_pairs: str = "omit", **options: Unpack[AgreementOptions]
) -> xr.Dataset:
    """Mean pairwise kappa."""

def scott_pi(ratings: xr.Dataset, **options: Unpack[PercentAgreementOptions]) -> xr.Dataset:
    """Scott's pi."""

def fleiss_kappa(ratings: xr.Dataset, **options: Unpack[PercentAgreementOptions]) -> xr.Dataset:
    """Fleiss' kappa."""

def conger_kappa(ratings: xr.Dataset, **options: Unpack[PercentAgreementOptions]) -> xr.Dataset:
    """Conger's kappa."""

def davies_fleiss_kappa(ratings: xr.Dataset, **options: Unpack[AgreementOptions]) -> xr.Dataset:
    """Davies and Fleiss' kappa."""

def brennan_prediger(ratings: xr.Dataset, **options: Unpack[PercentAgreementOptions]) -> xr.Dataset:
    """Brennan-Prediger."""

def bennett_s(ratings: xr.Dataset, **options: Unpack[PercentAgreementOptions]) -> xr.Dataset:
    """Brennan-Prediger."""

def randolph_kappa(ratings: xr.Dataset, **options: Unpack[PercentAgreementOptions]) -> xr.Dataset:
    """Brennan-Prediger."""

def pabak(ratings: xr.Dataset, **options: Unpack[PercentAgreementOptions]) -> xr.Dataset:
    """Brennan-Prediger."""

def gwet_ac1(ratings: xr.Dataset, **options: Unpack[PercentAgreementOptions]) -> xr.Dataset:
    """Gwet's AC1."""

def gwet_ac2(ratings: xr.Dataset, **options: Unpack[PercentAgreementOptions]) -> xr.Dataset:
    """Gwet's AC2."""

def krippendorff_alpha(
    ratings: xr.Dataset, **options: Unpack[PercentAgreementOptions]
) -> xr.Dataset:
    """Krippendorff's alpha."""

def augmented_kappa(
    ratings: xr.Dataset,
    *,
    normalize: str = "none",
    pool: str = "pairs",
    undefined_pairs: str = "omit",
    **options: Unpack[AgreementOptions],
) -> xr.Dataset:
    """Augmented kappa."""

def am_agreement(ratings: xr.Dataset, **options: Unpack[PercentAgreementOptions]) -> xr.Dataset:
    """A_m."""

def icc1(ratings: xr.Dataset, **options: Unpack[PercentAgreementOptions]) -> xr.Dataset:
    """ICC(1)."""

def icc1k(ratings: xr.Dataset, **options: Unpack[PercentAgreementOptions]) -> xr.Dataset:
    """ICC(1,k)."""

def icc2(ratings: xr.Dataset, **options: Unpack[PercentAgreementOptions]) -> xr.Dataset:
    """ICC(2)."""

def icc2k(ratings: xr.Dataset, **options: Unpack[PercentAgreementOptions]) -> xr.Dataset:
    """ICC(2,k)."""

def icc3(ratings: xr.Dataset, **options: Unpack[PercentAgreementOptions]) -> xr.Dataset:
    """ICC(3)."""

def icc3k(ratings: xr.Dataset, **options: Unpack[PercentAgreementOptions]) -> xr.Dataset:
    """ICC(3,k)."""

def lin_ccc(ratings: xr.Dataset, **options: Unpack[AgreementOptions]) -> xr.Dataset:
    """Lin's concordance."""

def hubert_kappa(ratings: xr.Dataset, **options: Unpack[PercentAgreementOptions]) -> xr.Dataset:
    """Hubert's kappa."""

def bangdiwala_b(ratings: xr.Dataset, **options: Unpack[PercentAgreementOptions]) -> xr.Dataset:
    """Bangdiwala's B."""

def van_oest_ir2(ratings: xr.Dataset, **options: Unpack[PercentAgreementOptions]) -> xr.Dataset:
    """Van Oest's Ir2."""

class _SpanF1(Protocol):
    def __call__(
        self,
        spans: xr.Dataset,
        match: str = "strict",
        *,
        average: str = "micro",
        duplicates: str = "set",
        progress: Callable[[int, int], None] | None = None,
        **options: Unpack[SpanF1Options],
    ) -> xr.Dataset:
        """Return the F1 of spans, by pair, label, annotator and document."""

    def coefficients(
        self,
        spans: xr.Dataset,
        coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
        *,
        also: str | Sequence[str] = (),
        duplicates: str = "set",
        progress: Callable[[int, int], None] | None = None,
        **options: Unpack[SpanF1Options],
    ) -> xr.Dataset:
        """Measure coefficients of spans, as `iaa_jax.agreement` does for ratings."""

    def passages(self, spans: xr.Dataset, number: int = 5) -> xr.Dataset:
        """Return the passages on which pairs of annotators differ most."""

span_f1: _SpanF1

def unitizing_alpha(
    ratings: xr.Dataset,
    *,
    form: str = "alpha_u",
    per_label: bool = False,
    **options: Unpack[PercentAgreementOptions],
) -> xr.Dataset:
    """Unitizing alpha."""

def boundary_similarity(
    ratings: xr.Dataset, *, n_t: int = 2, **options: Unpack[PercentAgreementOptions]
) -> xr.Dataset:
    """Boundary similarity."""

def window_diff(
    ratings: xr.Dataset, *, reference: str = "both", **options: Unpack[PercentAgreementOptions]
) -> xr.Dataset:
    """WindowDiff."""

def pk(
    ratings: xr.Dataset, *, reference: str = "both", **options: Unpack[PercentAgreementOptions]
) -> xr.Dataset:
    """Pk."""

def gamma(
    ratings: xr.Dataset,
    *,
    alpha: float = 3.0,
    beta: float = 1.0,
    delta_empty: float = 1.0,
    label_dissimilarity: ArrayLike | None = None,
    unaligned: bool = False,
    precision: float = 0.05,
    draws: int = 30,
    progress: Callable[[int, int], None] | None = None,
    **options: Unpack[PercentAgreementOptions],
) -> xr.Dataset:
    """Measure agreement on the positions and the labels of units, in one figure."""

class _Agree(Protocol):
    def __call__(
        self,
        ratings: xr.Dataset,
        coefficients: str | Sequence[str] | None = None,
        *,
        also: str | Sequence[str] = (),
        by: str | None = None,
        scale: str | None = None,
        above: Sequence[float] = (),
        zero: bool = False,
        progress: Callable[[int, int], None] | None = None,
        **options: Unpack[AgreementOptions],
    ) -> dict[str, xr.Dataset]:
        """Return all that ``iaa agree`` prints, as a dict of Datasets."""

    def questions(
        self,
        questions: Mapping[str, xr.Dataset],
        coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
        *,
        level: str | Mapping[str, str] | None = None,
        progress: Progress | None = None,
        **options: Unpack[AgreeQuestionsOptions],
    ) -> xr.Dataset:
        """Return what ``iaa agree --questions`` prints: the coefficients of each question."""

agree: _Agree

def contingency(
    ratings: xr.Dataset,
    *,
    annotators: Sequence[object] | None = None,
    **options: Unpack[ContingencyOptions],
) -> xr.Dataset:
    """Explain a kappa: tables of labels, prevalence, bias, ceilings and margins."""

def in_words(
    source: xr.Dataset | float,
    scale: str = "landis_koch",
    *,
    standard_error: float | None = None,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    method: str = "auto",
    confidence: float = 0.95,
    **options: Unpack[InWordsOptions],
) -> xr.Dataset:
    """Grade each coefficient in words: by its estimate, and by what is certain."""

class _Bootstrap(Protocol):
    def __call__(
        self,
        ratings: xr.Dataset,
        coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
        *,
        errors: bool = False,
        prior: float | str = 0.0,
        progress: Callable[[int, int], None] | None = None,
        **options: Unpack[BootstrapOptions],
    ) -> xr.Dataset:
        """Draw bootstrap replicates of a coefficient, over items drawn with replacement."""

    def of_result(
        self,
        ratings: xr.Dataset,
        result: xr.Dataset,
        *,
        progress: Callable[[int, int], None] | None = None,
        **options: Unpack[BootstrapOfResultOptions],
    ) -> xr.Dataset:
        """Draw the replicates behind the intervals of a result."""

    def intervals(
        self,
        drawn: xr.Dataset,
        method: str = "auto",
        *,
        transform: str | None = None,
        **options: Unpack[BootstrapIntervalsOptions],
    ) -> xr.Dataset:
        """Make intervals from existing replicates, without measuring the ratings again."""

    def probability_above(self, drawn: xr.Dataset, cut_off: float | Sequence[float]) -> xr.Dataset:
        """Return the probability that a coefficient lies above a cut-off."""

bootstrap: _Bootstrap

def covariance(
    ratings: xr.Dataset,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    **options: Unpack[CovarianceOptions],
) -> xr.Dataset:
    """Return the covariance of coefficients on the same items, and simultaneous intervals."""

def zero_agreement(
    ratings: xr.Dataset,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    per_label: bool = False,
    null: str = "auto",
    alternative: str = "two-sided",
    permutations: int = 999,
    progress: Callable[[int, int], None] | None = None,
    **options: Unpack[ZeroAgreementOptions],
) -> xr.Dataset:
    """Test whether coefficients differ from what chance alone would give."""

def items(
    ratings: xr.Dataset,
    coefficient: CoefficientLike | None = None,
    *,
    top: int | None = None,
    sort: str | None = None,
    votes: bool = False,
    blind: bool = False,
    **options: Unpack[ItemsOptions],
) -> xr.Dataset:
    """Return each item's agreement, spread of labels, and influence on a coefficient."""

class _Annotators(Protocol):
    def __call__(
        self,
        ratings: xr.Dataset,
        coefficient: CoefficientLike | None = None,
        *,
        top: int | None = None,
        sort: str | None = None,
        min_items: int = 0,
        ties: str = "split",
        annotator_weight: ArrayLike | None = None,
        progress: Callable[[int, int], None] | None = None,
        **options: Unpack[AnnotatorsOptions],
    ) -> xr.Dataset:
        """Return each annotator's agreement with the others, bias, and effect on a coefficient."""

    def repeats(
        self,
        ratings: xr.Dataset,
        coefficient: CoefficientLike | None = None,
        *,
        runs: str | Sequence[str] | None = None,
        by: str | None = None,
        progress: Progress | None = None,
        **options: Unpack[AnnotatorsRepeatsOptions],
    ) -> xr.Dataset:
        """Measure how far annotators agree with themselves on items that they rated again."""

annotators: _Annotators

class _Labels(Protocol):
    def __call__(
        self,
        ratings: xr.Dataset,
        coefficient: CoefficientLike | None = None,
        *,
        top: int | None = None,
        sort: str | None = None,
        progress: Callable[[int, int], None] | None = None,
        **options: Unpack[LabelsOptions],
    ) -> xr.Dataset:
        """Return each label's share, specific agreement, coefficient, and confusions."""

    def merges(
        self,
        ratings: xr.Dataset,
        coefficient: CoefficientLike | None = None,
        *,
        replicates: int = 1000,
        progress: Progress | None = None,
        **options: Unpack[LabelsMergesOptions],
    ) -> xr.Dataset:
        """Suggest labels to merge, from the gain and cost of each merge of two labels."""

labels: _Labels

def influence(
    ratings: xr.Dataset,
    coefficient: CoefficientLike | None = None,
    **options: Unpack[InfluenceOptions],
) -> xr.Dataset:
    """Return each item's influence on a coefficient, from derivatives with respect to weights."""

def findings(
    ratings: xr.Dataset,
    by: str | None = None,
    coefficient: CoefficientLike | None = None,
    *,
    repeats: xr.Dataset | None = None,
    progress: Progress | None = None,
    **options: Unpack[FindingsOptions],
) -> xr.Dataset:
    """Find causes of disagreement, such as exchanged labels, and the gain from mending each."""

def label_sets(
    ratings: xr.Dataset,
    *,
    bands: Sequence[tuple[float, float]] = ((0.7, 1.0),),
    coefficient: str = "percent_agreement",
    progress: Callable[[int, int], None] | None = None,
    **options: Unpack[LabelSetsOptions],
) -> xr.Dataset:
    """Measure label sets as a whole: coefficients, items, annotators, and pairs of labels."""

def per_label(
    ratings: xr.Dataset,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    progress: Callable[[int, int], None] | None = None,
    **options: Unpack[LabelSetsOptions],
) -> xr.Dataset:
    """Measure agreement on each label separately, as present or absent in a rating."""

def sweep(
    ratings: xr.Dataset,
    coefficient: CoefficientLike | None = None,
    *,
    p: object = 51,
    normalize: str = "none",
    pool: str = "pairs",
    undefined_pairs: str = "omit",
    tau: float = 0.05,
    high: float = 0.6,
    progress: Callable[[int, int], None] | None = None,
    **options: Unpack[SweepOptions],
) -> xr.Dataset:
    """Return a coefficient as a function of p, the share of the primary label, from 0.5 to 1."""

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
    permutations: int = 2000,
    margin: float | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Unpack[AgreementOptions],
) -> xr.Dataset:
    """Compare the agreement of two sets of ratings: the difference, its interval and tests."""

class _Plan(Protocol):
    def __call__(
        self,
        ratings: xr.Dataset,
        coefficient: CoefficientLike | None = None,
        *,
        half_width: float | None = None,
        null: float | None = None,
        power: float | None = None,
        assurance: float | None = None,
        items: Sequence[int] | None = None,
        per_item: Sequence[int] | None = None,
        cost_item: float = 0.0,
        cost_rating: float = 1.0,
        looks: int | Sequence[float] | None = None,
        spending: str = "obrien_fleming",
        exponent: float = 2.0,
        replicates: int = 500,
        simulations: int = 500,
        progress: Callable[[int, int], None] | None = None,
        **options: Unpack[LabelsMergesOptions],
    ) -> xr.Dataset:
        """Plan from a pilot how many items and annotators a target needs."""

    def looks(
        self,
        looks: int | Sequence[float],
        *,
        spending: str = "obrien_fleming",
        exponent: float = 2.0,
        items: float | None = None,
        **options: Unpack[BootstrapIntervalsOptions],
    ) -> xr.Dataset:
        """Schedule interim looks during annotation, with the interval to use at each."""

plan: _Plan

def variance(
    ratings: xr.Dataset,
    coefficient: CoefficientLike | None = None,
    *,
    target: float = 0.8,
    items: Sequence[int] | None = None,
    per_item: Sequence[int] | None = None,
    cost_item: float = 0.0,
    cost_rating: float = 1.0,
    **options: Unpack[CovarianceOptions],
) -> xr.Dataset:
    """Split the variance of ratings by item and annotator, and show what more annotators add."""

def drift(
    ratings: xr.Dataset,
    by: str = "time",
    coefficient: CoefficientLike | None = None,
    *,
    order: Sequence[object] | None = None,
    bandwidth: float | str | np.timedelta64 | None = None,
    points: int = 50,
    permutations: int = 999,
    progress: Progress | None = None,
    **options: Unpack[AgreementOptions],
) -> xr.Dataset:
    """Estimate how agreement changes over time or from batch to batch, and test whether it does."""

def watch(
    ratings: xr.Dataset,
    coefficient: CoefficientLike | None = None,
    *,
    order: str | None = None,
    bar: float | None = None,
    bounds: tuple[float, float] | None = None,
    per_item: int | None = None,
    against: xr.Dataset | None = None,
    record: xr.Dataset | None = None,
    method: str | None = None,
    **options: Unpack[CovarianceOptions],
) -> xr.Dataset:
    """Watch agreement as ratings come in: look as often as you like, stop when it is decided."""

class _Gold(Protocol):
    def __call__(
        self,
        ratings: xr.Dataset,
        method: str = "majority",
        *,
        ties: str = "first",
        p: float = 1.0,
        coefficient: str = "percent_agreement",
        tol: float = 1e-06,
        max_iter: int | None = None,
        control: Mapping[Any, Any] | str | None = None,
        adjudicated: Mapping[Any, Any] | str | None = None,
        numbers: Mapping[str, float] | None = None,
        restarts: int = 0,
        replicates: int | None = None,
        leave_out: bool | None = None,
        blind: bool = False,
        progress: Callable[[int, int], None] | None = None,
        **options: Unpack[GoldOptions],
    ) -> xr.Dataset:
        """Return the best label of each item by a method, and each annotator's skill."""

    def methods(
        self,
        ratings: xr.Dataset,
        methods: Sequence[str] | None = None,
        *,
        gold: str | Mapping[object, object] | None = None,
        p: float = 1.0,
    ) -> xr.Dataset:
        """Compare gold labels by several methods: where they differ, and which are right."""

    def spans(
        self,
        spans: xr.Dataset,
        match: str = "strict",
        *,
        adjudicated: Mapping[SpanKey, bool | str] | None = None,
        blind: bool = False,
    ) -> xr.Dataset:
        """Return gold spans, which more than half of those who saw the document marked."""

gold: _Gold

class _Sharpen(Protocol):
    def __call__(
        self,
        ratings: xr.Dataset,
        concentration: str = "entropy",
        link: str = "linear",
        *,
        tol: float = 1e-06,
        max_iter: int = 500,
        epsilon: float = 0.01,
        omega: float = 0.01,
        prior_strength: float = 0.0,
        coefficient: CoefficientLike | None = None,
        progress: Callable[[int, int], None] | None = None,
        **options: Unpack[AnnotatorsRepeatsOptions],
    ) -> xr.Dataset:
        """Weight annotators by their kappa with the others, and items by the agreement on them."""

    def settings(
        self,
        ratings: xr.Dataset,
        concentration: str | Sequence[str] = ("entropy", "variance", "none"),
        link: str | Sequence[str] = ("linear", "logodds"),
        *,
        p: Several = 1.0,
        epsilon: Several = 0.01,
        omega: Several = 0.01,
        prior_strength: Several = 0.0,
        tol: float = 1e-06,
        max_iter: int = 500,
    ) -> xr.Dataset:
        """Sharpen with many settings, to see how much weights and labels depend on them."""

sharpen: _Sharpen

class _Panels(Protocol):
    def __call__(
        self,
        ratings: xr.Dataset,
        coefficient: CoefficientLike | None = None,
        *,
        size: int | None = None,
        top: int | None = None,
        replicates: int | None = None,
        progress: Progress | None = None,
        **options: Unpack[LabelsMergesOptions],
    ) -> xr.Dataset:
        """Compare every panel of two annotators or more, and measure what each annotator adds."""

    def what_if(
        self,
        ratings: xr.Dataset,
        coefficient: CoefficientLike | None = None,
        *,
        annotators: Sequence[object] | None = None,
        gold: ArrayLike | None = None,
        draws: int = 200,
        progress: Progress | None = None,
        **options: Unpack[PanelsWhatIfOptions],
    ) -> xr.Dataset:
        """Compute the coefficient with a spammer, echo or expert in place of each annotator."""

panels: _Panels

class _Missing(Protocol):
    def __call__(
        self,
        ratings: xr.Dataset,
        coefficient: CoefficientLike | None = None,
        *,
        above: float | None = None,
        points: int = 10,
        imputations: int = 20,
        progress: Progress | None = None,
        **options: Unpack[MissingOptions],
    ) -> xr.Dataset:
        """Estimate how far missing ratings would have to differ for the conclusion to change."""

    def inverse_probability(
        self,
        ratings: xr.Dataset,
        coefficient: CoefficientLike | None = None,
        *,
        by: str | None = None,
        probability: str | None = None,
        **options: Unpack[MissingInverseProbabilityOptions],
    ) -> xr.Dataset:
        """Estimate a coefficient of all items if some kinds of items were rated more often."""

missing: _Missing

class _Judge(Protocol):
    def __call__(
        self,
        ratings: xr.Dataset,
        judges: str | Sequence[str],
        coefficient: CoefficientLike | None = None,
        *,
        epsilon: float | Sequence[float] = (0.1, 0.0, 0.05, 0.15, 0.2, 0.25, 0.3),
        false_discovery_rate: float = 0.05,
        min_items: int = 30,
        score: str | None = None,
        margin: float = 0.1,
        items: Sequence[int] = (50, 100, 200, 400, 800),
        replicates: int = 2000,
        progress: Progress | None = None,
        **options: Unpack[LabelsMergesOptions],
    ) -> xr.Dataset:
        """Test whether a judge may replace people: the alternative annotator test."""

    def against_gold(
        self,
        ratings: xr.Dataset,
        gold: Mapping[Any, Any] | str | xr.Dataset,
        *,
        replicates: int = 2000,
        progress: Progress | None = None,
        **options: Unpack[JudgeAgainstGoldOptions],
    ) -> xr.Dataset:
        """Measure the accuracy of every annotator, people and models alike, against gold labels."""

    def jury(
        self,
        ratings: xr.Dataset,
        judges: Sequence[str],
        *,
        replicates: int = 2000,
        progress: Progress | None = None,
        **options: Unpack[JudgeAgainstGoldOptions],
    ) -> xr.Dataset:
        """Estimate how many independent judges a jury of k judges is worth."""

judge: _Judge

def judged_scores(
    ratings: xr.Dataset,
    judges: str | Sequence[str],
    people: str | Sequence[str] | None = None,
    *,
    scored: str | Sequence[str] | None = None,
    probability: str | None = None,
    these_items: bool = False,
    half_width: float | None = None,
    **options: Unpack[JudgedScoresOptions],
) -> xr.Dataset:
    """Estimate shares, means and accuracy over many judged items, of which people rated a few."""

def prodigy(
    ratings: xr.Dataset,
    *,
    partial: bool = False,
    progress: Progress | None = None,
    **options: Unpack[ProdigyOptions],
) -> xr.Dataset:
    """Compute statistics of annotations and agreement, as Prodigy's commands do."""

class _Coefficients(Protocol):
    def __call__(self, names: Sequence[str] | None = None) -> xr.Dataset:
        """List the coefficients: what each is, what it needs, and its source."""

    def bibtex(self, names: Sequence[str] | None = None) -> str:
        """Return the sources of coefficients in BibTeX, with an entry for this package."""

coefficients: _Coefficients

__version__: str
