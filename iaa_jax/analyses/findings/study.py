"""Search for causes of disagreement, and measure the gain from mending each cause."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import xarray as xr

from iaa_jax._types import Values, Variables
from iaa_jax.analyses.findings import declared
from iaa_jax.analyses.findings.causes import FEWEST, SURE
from iaa_jax.analyses.findings.columns import dates_of, key_of, kinds_of_items
from iaa_jax.analyses.findings.doubtful_readings import doubtful_readings, ordered_labels
from iaa_jax.analyses.findings.items import MOST_QUESTIONS, clusters
from iaa_jax.analyses.findings.mending import (
    Measured,
    as_numbers,
    long_ratings_of,
    mended,
    unit_of,
)
from iaa_jax.analyses.findings.repeats import Repeats, first_ratings
from iaa_jax.analyses.findings.same_ratings import same_ratings
from iaa_jax.analyses.findings.search import MOST, MendedCause, Search
from iaa_jax.data.kind import Kind
from iaa_jax.engine.rows import Progress, tell
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.options.requirements import Excluded, requires
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.level import without_verdict
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.results import provenance_of_figures, result_dataset
from iaa_jax.measure.shared.times import Times
from iaa_jax.wording.figures import gives
from iaa_jax.wording.formats import short


@public
@requires(
    Excluded("counts without annotators", "causes are looked for by annotator"),
    Excluded("one annotator", "annotators are compared with others"),
)
@gives(declared)
def findings(
    ratings: Rated,
    by: str | None = None,
    coefficient: CoefficientLike | None = None,
    *,
    repeats: xr.Dataset | None = None,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions, "confidence", "seed"),
    progress: Progress | None = None,
) -> xr.Dataset:
    """Find causes of disagreement, such as exchanged labels, and the gain from mending each.

    The result begins with doubts about how the file was read, and with labels that look like steps
    of a scale but are taken as names. The search is for annotators who exchange two labels, give
    one label for another, favour one label, guess, change at a date, stop, or rate the easy or hard
    items. With numbers, it is also for annotators whose numbers are lower or higher than the
    others', or closer together or wider apart. With label sets, it is for annotators who leave out
    or add a label. With spans, it is for annotators who mark fewer or more spans, whose spans are
    shorter or longer, or whose spans begin or end near the others' instead of at the same places.
    The search is also for pairs of labels that all annotators confuse, kinds of items that all find
    hard, items that belong together, and items that an annotator answers differently when asked
    again.

    An annotator's agreement with the other annotators of an item is compared with the agreement
    among those others, so that neither hard items nor the others' errors count against the
    annotator: if annotators are exchangeable, the mean difference is 0. Kinds of causes are tested
    in a fixed order. Of the first kind with significant causes, the costliest cause is named and
    mended in the ratings. Then the search is repeated on the mended ratings, since one cause hides
    others. ``p_value`` is multiplied by the number of tests of its kind and by the number of kinds.
    If items with the same value in a column are significantly similar in agreement, standard errors
    treat them as clusters.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings of two annotators or more, as the constructors and `iaa_jax.read` return them; three
        annotators of an item are needed to tell who is wrong.
    by : str, optional
        A coordinate of items with times or batches; by default one with dates, if there is one.
    coefficient : str or callable, optional
        The coefficient to be measured before and after mending; Krippendorff's alpha by default,
        for spans strict F1.
    repeats : xarray.Dataset, optional
        ``ratings`` read again with ``duplicates="apart"``, if they have only one of an annotator's
        repeated ratings of an item. The repeated ratings show which answers differ when an
        annotator is asked again.
    label_options : LabelOptions
    options : IntervalOptions
    progress : callable, optional
        Called with the number of causes found and the largest number searched for.

    Returns
    -------
    xarray.Dataset
        Along ``finding``: doubts, then mended causes in the order of mending, then the other
        causes:

        FINDINGS

        Before and after mending everything:

        SCALARS

        The attribute ``conclusion`` is "found" or "none". ``two_rated`` counts the items with two
        ratings: if these differ, nothing tells which one is wrong.

    Raises
    ------
    IaaError
        If annotators are unknown, there is only one, or an option does not fit.

    References
    ----------
    Miller, R. and Siegmund, D. (1982). Maximally selected chi square statistics. Biometrics 38(4).
    https://doi.org/10.2307/2529881

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> rows = [["a", "a", "b"], ["b", "b", "a"], ["c", "c", "c"]] * 20
    >>> result = iaa.findings(iaa.from_wide(rows))
    >>> result.kind.values, result.annotator.values, float(result.if_mended[0])
    (array(['exchanged_labels'], dtype=object), array(['annotator 3'], dtype=object), 1.0)
    """
    every = ratings if repeats is None else Rated.of(repeats, ratings.computing)
    ratings, left_out = first_ratings(as_numbers(ratings, label_options))
    resolver = Resolver(ratings, label_options)
    times = dates_of(ratings, by)
    columns = kinds_of_items(ratings, times)
    before = Measured.of(resolver, coefficient)
    rows = [*map(MendedCause, doubtful_readings(ratings))]
    for cause, then in ordered_labels(before, coefficient):
        rows.append(MendedCause(cause, if_mended=then))
    as_read = long_ratings_of(resolver, times)
    remaining, measured = as_read, before
    kept: list[tuple[int, ...]] = []
    for cause in same_ratings(as_read, [*map(str, ratings.annotator_names.tolist())]):
        # copies are left out whatever the gain: they outvote an annotator who disagrees with them
        remaining = as_read.without(cause.rows)
        kept.append(cause.annotators)
        once = Measured.of(Resolver(mended(ratings, remaining), label_options), coefficient)
        rows.append(MendedCause.of(cause, measured, once, options.confidence, None))
        measured = once
    remaining = remaining.with_annotators_merged(kept)
    cluster = clusters(remaining, columns, measured.influence)
    if cluster is not None:
        remaining = replace(remaining, clusters=columns[cluster.column].clusters)
        few = cluster.values["groups"] <= MOST_QUESTIONS
        cluster = cluster.with_values(questions=float(few and cluster.column in key_of(ratings)))
    again = Repeats.of(as_numbers(every, label_options), label_options, remaining.clusters)
    search = Search(
        *(resolver, coefficient, measured, remaining, times, columns, options),
        repeats=again,
        clusters=cluster,
    )
    for number, row in enumerate(search.causes(), 1):
        rows.append(row)
        tell(progress, min(number, MOST), MOST)
    tell(progress, MOST, MOST)
    coefficients = [row.if_mended for row in rows if row.mended_by]
    last = coefficients[-1] if coefficients else before.estimate
    variables = _variables(rows, ratings, resolver, times)
    variables |= {
        "estimate": ((), np.asarray(before.estimate)),
        "if_all_mended": ((), np.asarray(last)),
    }
    unnamed = ratings.along("item").keys() & columns.keys() - {row.cause.column for row in rows}
    kinds = [name for name in columns if name in unnamed and columns[name].are_kinds]
    attrs: dict[str, object] = {
        **provenance_of_figures(resolver, "findings", [before.request], notes=left_out),
        "coefficient": before.request.name,
        "weights": before.request.used,
        "confidence": options.confidence,
        "seed": options.seed,
        "by": "" if times is None else times.by,
        "continuous": int(times is not None and times.batches is None),
        "sure": SURE,
        "errors_of": "" if cluster is None else cluster.column,
        "one_answer": json.dumps(_named_together(rows, ratings), ensure_ascii=False),
        "annotators_asked": int((remaining.by_annotator(remaining.size > 0) >= FEWEST).sum()),
        "kinds_of_items": json.dumps(kinds, ensure_ascii=False),
        "three_rated": int((search.original.size > 2).sum() > 3 * FEWEST),
        "two_rated": _two_rated(resolver.tables),
        "conclusion": "found" if rows else "none",
    }
    return without_verdict(result_dataset(variables, {}, attrs))


def _two_rated(tables: Rated) -> float:
    """Return the number of items with two ratings; 0 for spans."""
    patterns = tables.identified
    of_two = (patterns.panel == 2) & (tables.kind is not Kind.SPANS)
    return float(patterns.count[of_two].sum())


def _named_together(rows: list[MendedCause], ratings: Rated) -> list[str]:
    names = ratings.annotator_names.tolist()
    causes = [row.cause for row in rows if row.cause.kind == "one_answer"]
    return [str(names[annotator]) for cause in causes for annotator in cause.annotators]


def _variables(
    rows: list[MendedCause], ratings: Rated, resolver: Resolver, times: Times | None
) -> Variables:
    labels = np.array([*map(str, resolver.tables.label_names.tolist()), ""], dtype=object)
    names = np.array([*map(str, ratings.annotator_names.tolist()), ""], dtype=object)
    causes = [row.cause for row in rows]

    def column(values: list[object], kind: type = object) -> tuple[str, Values]:
        return "finding", np.array(values, dtype=kind)

    def moments(positions: list[float]) -> tuple[str, Values]:
        return column([_moment(times, position) for position in positions])

    figures: dict[str, list[float]] = {name: [] for name in _FIGURES}
    unit = unit_of(resolver.tables) if resolver.tables.kind is Kind.NUMBERS else 1.0
    for cause in causes:
        powers = {"shift": 1, "then": 1 if cause.kind == "severe" else 2} | _SQUARES
        for name in _FIGURES:
            value = cause.values.get(name, np.nan)
            figures[name].append(value * unit ** powers.get(name, 0))
    return {
        "kind": column([cause.kind for cause in causes]),
        "annotator": column([names[cause.annotator] for cause in causes]),
        "label": column([labels[cause.label] for cause in causes]),
        "other_label": column([labels[cause.other_label] for cause in causes]),
        "third_label": column([labels[cause.third_label] for cause in causes]),
        "since": moments([cause.since for cause in causes]),
        "until": moments([cause.until for cause in causes]),
        "column": column([cause.column for cause in causes]),
        "group": column([cause.group for cause in causes]),
        "items": column([cause.items for cause in causes], float),
        "p_value": column([max(cause.p_value, cause.p_of_date) for cause in causes], float),
        "mended_by": column([row.mended_by for row in rows]),
        "if_mended": column([row.if_mended for row in rows], float),
        "gain": column([row.gain[0] for row in rows], float),
        "gain_ci_low": column([row.gain[1] for row in rows], float),
        "gain_ci_high": column([row.gain[2] for row in rows], float),
        **{name: column([*values], float) for name, values in figures.items()},
    }


def _moment(times: Times | None, position: float) -> str:
    if times is None or np.isnan(position):
        return ""
    (value,) = times.coordinate_of(np.array([position]))
    if times.origin is not None:
        return str(np.datetime_as_string(value, unit="D"))
    of = "item" if times.unit == "item" else times.by
    return str(value) if times.names is not None else f"{of} {short(value)}"


_SQUARES = {"agreement": 2, "among_others": 2, "with_oneself": 2}
"""If ratings are numbers: the power of their unit in each variable."""

_FIGURES = tuple(figure.name for figure in declared.OF_SENTENCES)
