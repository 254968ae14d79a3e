"""The study of agreement: coefficients, agreement on each label, and what explains a kappa."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import xarray as xr

from iaa_jax._checks import check_names
from iaa_jax.analyses.agree.contingency import contingency_of_all
from iaa_jax.analyses.agree.gaps import note_on_gaps, note_on_isolated_annotators
from iaa_jax.catalog import CATALOG, NAMES, UNWEIGHTED, resolve_name, title_of
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.agreement import agreement_and_labels
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.level import refuse_open
from iaa_jax.measure.requests.resolver import names_beside
from iaa_jax.measure.requests.studies import announce, lead_of
from iaa_jax.measure.results import with_notes
from iaa_jax.measure.shared.agreement_by import agreement_by
from iaa_jax.measure.shared.gaps import note_on_whose_gaps
from iaa_jax.wording import Note, named

LABELS_MEASURED = 100
"""Default maximum number of labels measured one by one."""

PAIRS_TESTED = 200
"""Default maximum number of pairs of annotators whose label frequencies are compared."""

HIGH, LOW = 0.7, 0.2
"""Minimum of a coefficient that looks good, and maximum of agreement on a label that looks bad."""

APART = 0.2
"""A coefficient insensitive to rare labels is doubted if it exceeds the usual one by more."""


@public
def agree(
    ratings: Rated,
    coefficients: str | Sequence[str] | None = None,
    *,
    also: str | Sequence[str] = (),
    by: str | None = None,
    scale: str | None = None,
    above: Sequence[float] = (),
    zero: bool = False,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions),
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, xr.Dataset]:
    """Return all that ``iaa agree`` prints, as a dict of Datasets.

    These are the coefficients, agreement on each label, and contingency tables. `iaa_jax.agreement`
    returns the coefficients alone.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    coefficients : str or sequence of str, optional
        Names from the catalogue, including coefficients with an estimate per label. The default is
        all that apply and, if each rating is a single label and there are at most 100 labels,
        agreement on each label.
    also : str or sequence of str
        Further coefficients, for example coefficients that are not measured by default.
    by : str, optional
        A coordinate along ``item`` or ``annotator``; adds coefficients for each of its groups.
    scale : str, optional
        Verbal scale, such as "landis_koch", which adds a word for each coefficient that corrects
        for chance (see `iaa_jax.in_words`).
    above : sequence of float
        Adds the probability that each coefficient lies above these levels.
    zero : bool
        Adds the test of zero agreement, see `iaa_jax.zero_agreement`.
    label_options : LabelOptions
    options : IntervalOptions
    progress : callable, optional
        Called with the number of finished replicates and their total.

    Returns
    -------
    dict of str to xarray.Dataset
        "coefficients", the result of `iaa_jax.agreement` with the variables that ``scale``,
        ``above`` and ``zero`` add; coefficients with an estimate per label, each under its name;
        "contingency", the result of `iaa_jax.contingency`, if agreement on each label is measured
        by default and there are at most 200 pairs of known annotators; and "by", the result of
        `iaa_jax.agreement_by`. `iaa_jax.page` makes one page of the dict.

    Raises
    ------
    IaaError
        If a name or option is unknown, or does not apply to the ratings.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"]] * 12 + [["a", "b"]] * 4 + [["b", "b"]] * 9)
    >>> results = iaa.agree(ratings, interval=None)
    >>> [*results]
    ['coefficients', 'specific_agreement', 'contingency']
    >>> iaa.page(results).tables[1].columns[0].values
    array(['a', 'b'], dtype=object)
    """
    names = None
    if coefficients is not None:
        check_names("coefficients", coefficients)
        names = [coefficients] if isinstance(coefficients, str) else [*coefficients]
    check_names("above", above)
    cut_offs = [*above]
    of_labels = [resolve_name(name).name for name in names or () if per_label(name)]
    by_default = names is None and ratings.kind.has_one_label
    few_labels = by_default and len(ratings.label_names) <= LABELS_MEASURED
    if few_labels:
        rows = [row for row in CATALOG.values() if row.per_label]
        of_labels = [row.name for row in rows if not row.measure.compares]
    how = {"label_options": label_options, "options": options, "progress": progress}
    announce("Measuring", progress)
    result, by_label = agreement_and_labels(
        ratings,
        None if names is None else [name for name in names if not per_label(name)],
        [*dict.fromkeys(of_labels)],
        label_options,
        options,
        progress,
        names_beside(also),
    )
    defined = result["coefficient"].values[result["code"].values == 0].tolist()
    if scale is not None:
        result = _with_words(result, scale)
    if cut_offs:
        refuse_open(result.attrs, named("above"))
    if cut_offs and defined:
        announce("Probabilities", progress)
        result = _with_probabilities(result, ratings, cut_offs, how)
    if zero and defined:
        announce("Test of zero agreement", progress)
        result = _with_tests(result, ratings, defined, how)
    results = {"coefficients": result, **by_label}
    notes: list[Note] = []
    pairs = ratings.annotators * (ratings.annotators - 1) // 2
    if few_labels and not ratings.anonymous and pairs <= PAIRS_TESTED:
        results["contingency"] = contingency_of_all(ratings, label_options)
    elif by_default and not few_labels:
        notes.append(Note("labels_not_measured", {"labels": len(ratings.label_names)}))
    notes += _paradox(results)
    if (isolated := note_on_isolated_annotators(ratings)) is not None:
        notes.append(isolated)
    if (whose := note_on_whose_gaps(ratings)) is not None:
        notes.append(whose)
    if options.random.cluster is None and (gaps := note_on_gaps(ratings, options.seed)) is not None:
        notes.append(gaps)
    results["coefficients"] = with_notes(result, notes)
    if by is not None:
        announce("Groups", progress)
        # by default, the leading coefficient
        in_groups = names or [lead_of(result["coefficient"].values.tolist(), in_order=False)]
        results["by"] = agreement_by(ratings, by, in_groups, **how)
    return results


def _with_words(result: xr.Dataset, scale: str) -> xr.Dataset:
    """Add words for defined coefficients that correct for chance."""
    from iaa_jax.analyses.agree.bands import scale_named
    from iaa_jax.analyses.agree.in_words import CERTAINTY, grade_estimates

    confidence = float(result.attrs.get("confidence", CERTAINTY))
    words = grade_estimates(result, scale_named(scale), "auto", confidence)
    beyond_chance = [
        CATALOG[NAMES[name]].beyond_chance for name in result["coefficient"].values.tolist()
    ]
    known = np.array(beyond_chance) & (result["code"].values == 0)
    named = {name: words[name].where(known, "") for name in ("word", "reached", "withheld")}
    named["certain"] = words["certain"].where(known)
    attrs = ("scale", "scale_title", "scale_source", "made_for", "certainty")
    return result.assign(named).assign_attrs({name: words.attrs[name] for name in attrs})


def _with_probabilities(
    result: xr.Dataset, ratings: Rated, above: Sequence[float], how: Mapping[str, Any]
) -> xr.Dataset:
    from iaa_jax.analyses.agree.from_replicates import bootstrap_probability_above
    from iaa_jax.analyses.agree.replicates import bootstrap_of_result

    options = how["options"]
    options = replace(options, sampling=replace(options.random, bayesian=True))
    drawn = bootstrap_of_result(ratings, result, **{**how, "options": options})
    probability = bootstrap_probability_above(drawn, above).probability.transpose(
        "coefficient", "cut_off"
    )
    return result.assign(above=probability.reindex(coefficient=result["coefficient"]))


def _with_tests(
    result: xr.Dataset, ratings: Rated, names: Sequence[str], how: Mapping[str, Any]
) -> xr.Dataset:
    from iaa_jax.analyses.agree.zero import notes_of_test, zero_agreement

    tests = zero_agreement(ratings, names, **how)
    figures = ("null_standard_error", "z", "p_value", "method", "note")
    renamed = tests[list(figures)].rename({name: f"zero_{name}" for name in figures})
    missing = dict.fromkeys(renamed, np.nan) | {"zero_method": "", "zero_note": ""}
    notes = [Note("by_chance_note", {"note": note.on(())}) for note in notes_of_test(tests)]
    result = result.assign(renamed.reindex(coefficient=result["coefficient"], fill_value=missing))
    permutations = int(tests.attrs["permutations"])
    return with_notes(result, notes).assign_attrs(zero_permutations=permutations)


def _paradox(results: Mapping[str, xr.Dataset]) -> list[Note]:
    """Return a note on coefficients that are high although agreement on rare labels is low."""
    result = results["coefficients"]
    names = result["coefficient"].values.tolist()
    rows = [CATALOG[NAMES[name]] for name in names]
    estimate = dict(zip(names, result["estimate"].values.tolist(), strict=True))
    at_risk = [
        name
        for name, row in zip(names, rows, strict=True)
        if row.insensitive_to_rare_labels and estimate[name] > HIGH
    ]
    if not at_risk:
        return []
    weighted = str(result["weights"].sel(coefficient=at_risk[0]).item()) not in UNWEIGHTED
    labels = results.get("specific_agreement")
    if weighted or labels is None:
        by_margins = [
            name
            for name, row in zip(names, rows, strict=True)
            if row.beyond_chance
            and not row.insensitive_to_rare_labels
            and np.isfinite(estimate[name])
        ]
        lead = str(result.attrs.get("coefficient", ""))
        usual = (
            lead if lead in by_margins else max(by_margins, key=estimate.__getitem__, default="")
        )
        high = [name for name in at_risk if usual and estimate[name] - estimate[usual] > APART]
        contrast = {"usual": title_of(usual), "usual_estimate": estimate.get(usual)}
        code = "high_despite_margins"
    else:
        high, contrast, code = at_risk, _lowest(labels), "high_despite_label"
    figures = [
        Note("high_figure", {"title": title_of(name), "estimate": estimate[name]}) for name in high
    ]
    values = {**contrast, "figures": figures, "count": len(high)}
    return [Note(code, values, "caution").on(high)] if high and contrast else []


def _lowest(labels: xr.Dataset) -> dict[str, object]:
    """Return values of a note on the label with the lowest agreement; {} if it is not low."""
    estimate = labels["estimate"].values
    low = estimate < LOW
    if not low.any():
        return {}
    worst, others = int(np.nanargmin(estimate)), int(low.sum()) - 1
    return {
        "label": str(labels["label"].values[worst]),
        "label_estimate": float(estimate[worst]),
        "others": Note("other_labels", {"others": others, "low": LOW}) if others else "",
    }


def per_label(name: object) -> bool:
    """Return whether a coefficient has one estimate per label."""
    return isinstance(name, str) and resolve_name(name).per_label
