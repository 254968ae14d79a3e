"""Agreement of annotators with themselves, on items that the same annotator rated again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr

from iaa_jax._checks import check_names, names_like
from iaa_jax._errors import IaaError, shown
from iaa_jax._types import Values, Variables
from iaa_jax.analyses.diagnose import declared
from iaa_jax.analyses.diagnose.declared import REPEATED
from iaa_jax.analyses.diagnose.occasions import Answers
from iaa_jax.catalog import LEVELS
from iaa_jax.data.assemble import GIVEN_BY
from iaa_jax.data.kind import Kind
from iaa_jax.data.recoding import as_numbers, has_many_numbers
from iaa_jax.data.schema import rated
from iaa_jax.data.select import only_annotators
from iaa_jax.data.slots import in_grid
from iaa_jax.engine.rows import Progress
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.agreement import agreement
from iaa_jax.measure.options.requirements import Excluded, SeveralVotes, requires
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.level import with_presupposed_level
from iaa_jax.measure.requests.resolver import CoefficientLike
from iaa_jax.measure.requests.studies import usual_of
from iaa_jax.measure.shared.agreement_by import agreement_by
from iaa_jax.measure.shared.probabilities import along_items
from iaa_jax.wording import keyword, named
from iaa_jax.wording.figures import gives

OF_ANNOTATOR = "of_annotator"
_ORDINALS = ("first", "second", "third")

NUMERIC = tuple(name for name, level in LEVELS.items() if level.needs_numbers)
"""Levels of measurement at which labels are numbers."""

MOST_VALUES = 12
"""Maximum number of distinct numbers or dates as groups; above it, groups are quarters."""


@public
@requires(
    Excluded("spans", "repeats need labels of items", "compare two rounds with compare"),
    SeveralVotes("first and further ratings count as two annotators"),
)
@gives(declared)
def annotators_repeats(
    ratings: Rated,
    coefficient: CoefficientLike | None = None,
    *,
    runs: str | Sequence[str] | None = None,
    by: str | None = None,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions, without=("undefined",)),
    progress: Progress | None = None,
) -> xr.Dataset:
    """Measure how far annotators agree with themselves on items that they rated again.

    The first, second, ... answers of an annotator to an item count as ratings by a first, second,
    ... annotator. Agreement is measured for each annotator and for all annotators together.
    Annotators cannot be expected to agree with others more than with themselves.

    At the level interval or ratio, labels are numbers if there are more than 12 of them. Let d be
    the distance of two answers to an item: for labels, 0 if they are equal and 1 if they differ;
    for sets and shares of labels, 1 minus their agreement; for numbers, the squared
    difference. Let W be the mean of d for two answers of the same annotator, and B the mean of d
    for an annotator's answer and another annotator's answer. ``occasion`` is W / (2 B): the share
    of the distance from others that would vanish if the annotator's answer were the mean of very
    many answers. In terms of generalizability theory, W is twice the variance of occasions within
    an annotator's answers to an item, and B covers everything in which two annotators differ. The
    other annotators are inconsistent, too. If they are equally inconsistent, occasions explain W /
    B of the distance.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings that were read with ``duplicates="apart"``, so that second ratings by "ann" belong
        to an annotator "ann (2)". The coordinate ``given_by`` along annotators names the actual
        annotator, and may be added to ratings of any origin.
    coefficient : str or callable, optional
        Krippendorff's alpha by default; percent agreement is added, except for numbers.
    runs : str or sequence of str, optional
        Wildcard patterns of names, such as "gpt*". All annotators whose names match a pattern count
        as the same annotator, for example a model with two prompts or two orders of answers.
    by : str, optional
        A coordinate along ``item`` that groups the items rated again. For example, groups by the
        length of texts show whether answers to long texts change more. With more than 12 numbers or
        dates, each quarter of the items is a group.
    label_options : LabelOptions
    options : IntervalOptions
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    xarray.Dataset
        The result of `iaa_jax.agreement_by` with annotators as groups, where ``group_items`` are
        the items that an annotator rated again. In addition, along ``coefficient``:

        REPEATED

        Along ``group``, if others rated the items:

        OCCASIONS

        For all annotators together:

        OCCASIONS_OF_ALL

        Along ``run``, the first, second, ... answers, or the annotators of a single pattern in
        ``runs``:

        RUNS

        Along ``kind``, with ``by``, for the first coefficient (for labels percent agreement):

        KINDS

        For single labels, along ``label`` (``moved`` also along ``later_label``):

        TURNS

        Along ``item``, for items that were rated again, with the most changes first:

        CHANGES

        The attribute ``repeated_items`` counts the items rated again, summed over annotators, and
        ``most_answers`` is the largest number of answers of one annotator to an item. If this is
        two, ``shift_from`` and ``shift_to`` are the labels between which answers move most in one
        direction (``shift_there``, compared with ``shift_back``), with ``shift_p_value`` (McNemar's
        exact test, corrected for the choice of labels). If the two answers differ in the order of
        the options, such a shift is position bias.

        The ``conclusion`` is "measured"; "perfect" if no answer changes; "estimated" without
        intervals; or "undefined" if no estimate is defined.

    Raises
    ------
    IaaError
        If nobody rated an item twice, or ``by`` names no coordinate along items.

    References
    ----------
    Brennan, R. L. (2001). Generalizability Theory. Springer.
    https://doi.org/10.1007/978-1-4757-3456-0
    Rizzo, M. L., and Szekely, G. J. (2010). DISCO analysis: A nonparametric extension of analysis
    of variance. Annals of Applied Statistics 4(2). https://doi.org/10.1214/09-AOAS245
    McNemar, Q. (1947). Note on the sampling error of the difference between correlated proportions
    or percentages. Psychometrika 12(2). https://doi.org/10.1007/BF02295996
    Bland, J. M., and Altman, D. G. (1999). Measuring agreement in method comparison studies.
    Statistical Methods in Medical Research 8(2). https://doi.org/10.1177/096228029900800204

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> rows = {"item": [1, 2, 3, 1, 2, 3], "annotator": ["ann"] * 6, "label": list("xyyxyx")}
    >>> result = iaa.annotators.repeats(
    ...     iaa.from_long(rows, duplicates="apart"), "percent_agreement"
    ... )
    >>> result.estimate_of_all.round(3).values, result.turned.round(3).values
    (array([0.667]), array([0.333, 0.333]))
    """
    if runs is not None:
        ratings = Rated.of(_with_runs(ratings, runs), ratings.computing)
    again = {name: [name, *further] for name, further in sorted(ratings.further_ratings.items())}
    if not again:
        raise IaaError(
            "nobody rated an item twice: read the ratings with "
            f"{keyword('duplicates', 'apart')}, so that second ratings are kept"
            + (
                f"; if runs of a model are annotators, name them with {keyword('runs', 'gpt-*')}"
                if runs is None
                else f", or name others with {named('runs')}"
            )
        )
    label_options = with_presupposed_level(label_options, coefficient, ratings)
    if label_options.level in NUMERIC and has_many_numbers(ratings.dataset):
        ratings = Rated.of(as_numbers(ratings.dataset), ratings.computing)
    names = [usual_of(ratings.kind) if coefficient is None else coefficient]
    if ratings.kind is not Kind.NUMBERS and "percent_agreement" not in names:
        names = ["percent_agreement", *names]
    grid = in_grid(ratings.dataset).assign_attrs(labels_declared=1)
    answers = Answers.of(ratings)
    most = int(answers.size.max())
    turns = [*_ORDINALS, *(f"{turn}th" for turn in range(4, most + 1))][:most]
    named_runs = next(iter(again.values())) if runs is not None and len(again) == 1 else turns
    all_names, given_by = ratings.annotator_names.tolist(), ratings.coordinate(GIVEN_BY).tolist()
    giver = dict(zip(map(str, all_names), map(str, given_by), strict=True))
    parts = [_answers_of_one(grid, giver[name], runs_of, turns) for name, runs_of in again.items()]
    combined = xr.concat(
        parts,
        "item",
        data_vars="minimal",
        coords="minimal",
        compat="override",
        join="override",
        combine_attrs="override",
    )
    combined = combined.assign_coords(item=np.arange(combined.sizes["item"]))
    shared = {"label_options": label_options, "options": options, "progress": progress}
    opened = Rated.of(combined, ratings.computing)
    whole = agreement(opened, names, **shared)
    result = agreement_by(opened, OF_ANNOTATOR, names, **shared)
    of_all: Variables = {
        figure.name: ("coefficient", whole[figure.name.removesuffix("_of_all")].values)
        for figure in REPEATED
    }
    by_annotator, together = answers.figures(options)
    if ratings.kind is Kind.NUMBERS:
        by_annotator["within_deviation"], together["within_deviation"] = answers.deviations()
    givers = [giver[name] for name in answers.names]
    rows = [givers.index(str(name)) for name in result["group"].values.tolist()]
    of_all |= {name: ("group", values[rows]) for name, values in by_annotator.items()}
    of_all |= {f"{name}_of_all": ((), values) for name, values in together.items()}
    if by is not None:
        of_kinds, kinds = _in_kinds(opened, ratings, by, names[0], **shared)
        of_all |= of_kinds
    of_items, items = answers.item_changes()
    of_labels = answers.label_changes()
    of_all |= {**answers.run_agreement(named_runs), **of_items, **of_labels}
    coords: dict[str, object] = {
        "run": np.array(named_runs, dtype=object),
        "item": ratings.item_names[items],
    }
    if of_labels:
        coords |= {"label": ratings.label_names, "later_label": ratings.label_names}
    if by is not None:
        coords["kind"] = kinds
    attrs: dict[str, object] = {
        "made_by": "annotators.repeats",
        **({} if by is None else {"kind_by": by}),
        "by": "annotator",
        "repeated_items": int(combined.sizes["item"]),
        "most_answers": most,
        **(answers.shift(np.asarray(of_labels["moved"][1])) if of_labels else {}),
    }
    return result.assign(of_all).assign_coords(coords).assign_attrs(attrs)


def _in_kinds(
    answers: Rated, ratings: Rated, by: str, coefficient: CoefficientLike, **shared: Any
) -> tuple[Variables, Values]:
    along_items(ratings, by, "by")
    kinds = answers.dataset.assign_coords({by: ("item", _in_quarters(answers.dataset[by].values))})
    groups = agreement_by(Rated.of(kinds, answers.computing), by, coefficient, **shared)
    of_kinds: Variables = {"kind_items": ("kind", groups["group_items"].values)}
    for name in ("estimate", "ci_low", "ci_high"):
        if name in groups:
            variable = f"kind_agreement_{name}".removesuffix("_estimate")
            of_kinds[variable] = ("kind", groups[name].values[:, 0])
    return of_kinds, groups["group"].values


def _in_quarters(values: Values) -> Values:
    """Return the values; many distinct numbers or dates become quarters."""
    if values.dtype.kind not in "iufM" or len(distinct := np.unique(values)) <= MOST_VALUES:
        return values
    ends = np.unique(np.quantile(values[values == values], (0.25, 0.5, 0.75), method="lower"))
    known = distinct[distinct == distinct]
    names = np.full(len(values), "", dtype=object)
    for low, high in zip((None, *ends), (*ends, known[-1]), strict=True):
        inside = (values <= high) & (True if low is None else values > low)
        if inside.any():
            names[inside] = f"{values[inside].min():} to {values[inside].max()}"
    return names


def _with_runs(ratings: Rated, runs: str | Sequence[str]) -> xr.Dataset:
    """Return ratings in which all annotators that match a pattern count as the same one."""
    check_names("runs", runs)
    patterns = [runs] if isinstance(runs, str) else list(runs)
    names = [str(name) for name in ratings.annotator_names.tolist()]
    given_by = {name: name for name in names}
    for pattern, matches in names_like(patterns, names).items():
        if len(matches) < 2:
            matched = shown(matches) if matches else "nobody"
            raise IaaError(
                f"{named('runs')}: {pattern!r} matches {matched}, and runs are two annotators or "
                f"more; the annotators are {shown(names)}"
            )
        given_by |= dict.fromkeys(matches, pattern)
    of_names = ("annotator", np.array([*given_by.values()], dtype=object))
    return ratings.dataset.assign_coords({GIVEN_BY: of_names})


def _answers_of_one(grid: xr.Dataset, name: str, runs: list[str], turns: list[str]) -> xr.Dataset:
    """Return an annotator's answers to items rated again, as ratings by several annotators.

    ``runs`` are the annotator's names in ``grid``; ``turns`` ("first", "second", ...) replace them.
    """
    names = [str(column) for column in grid["annotator"].values.tolist()]
    known = rated(grid)[:, [names.index(run) for run in runs]]
    items = known.sum(axis=1) > 1
    part = in_grid(only_annotators(grid.isel(item=items), runs))
    present = [str(column) for column in part["annotator"].values.tolist()]
    kept = [run for run in runs if run in present]
    part = part.isel(annotator=[present.index(run) for run in kept])
    part = part.drop_vars(GIVEN_BY)
    answers = np.array([turns[runs.index(run)] for run in kept], dtype=object)
    part = part.assign_coords(annotator=answers)
    empty: dict[str, float] = {"primary": -1, "secondary": -1, "value": np.nan, "mass": np.nan}
    empty = {variable: value for variable, value in empty.items() if variable in part}
    part = part.reindex(annotator=np.array(turns, dtype=object), fill_value=empty)
    return part.assign_coords({OF_ANNOTATOR: ("item", np.full(part.sizes["item"], name, object))})
