"""Coefficients of several questions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError, OptionError, shown
from iaa_jax._types import Floats
from iaa_jax.analyses.agree.declared import OF_QUESTIONS
from iaa_jax.engine.rows import Progress
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.agreement import agreement
from iaa_jax.measure.requests.resolver import CoefficientLike
from iaa_jax.measure.requests.studies import lead_of
from iaa_jax.measure.results import joined
from iaa_jax.wording import load_notes, named
from iaa_jax.wording.undecided import UNDECIDED, is_open


@public
def agree_questions(
    questions: Mapping[str, xr.Dataset],
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    level: str | Mapping[str, str] | None = None,
    label_options: LabelOptions = select(LabelOptions, without=("level",)),
    options: IntervalOptions = select(IntervalOptions),
    progress: Progress | None = None,
) -> xr.Dataset:
    """Return what ``iaa agree --questions`` prints: the coefficients of each question.

    Parameters
    ----------
    questions : mapping of str to xarray.Dataset
        The ratings of each question, by its name.
    coefficients : str or callable, or sequence of them, optional
        Coefficients for every question, as `iaa_jax.agreement` takes them.
    level : str or mapping of str to str, optional
        Level of measurement of all questions, or of each by its name, such as
        ``{"tone": "ordinal"}``. A question that the mapping lacks has the level that it has by
        default.
    label_options : LabelOptions
    options : IntervalOptions
    progress : callable, optional
        Called with the number of finished replicates and their total.

    Returns
    -------
    xarray.Dataset
        Along ``question`` and ``coefficient``, the variables of `iaa_jax.agreement`, NaN if a
        coefficient does not apply to a question, and ``question_measured_items``, the items on
        which it is measured. Along ``question``, the sizes ``question_items``,
        ``question_pairable_items`` and ``question_annotators``. The ``conclusion`` is
        "level_undecided" if the labels of a question are numbers that may be a scale, "undefined"
        if the leading coefficient is undefined in every question, "levels_differ" if its weights
        differ between questions, as at a nominal and an ordinal level, so that its figures are not
        ranked, and otherwise "measured". If it is "measured" and figures differ, the attributes
        ``lowest_question`` and ``highest_question`` name the questions in which the leading
        coefficient is lowest and highest. The leading coefficient is the first in ``coefficients``
        or, by default, Krippendorff's alpha.

    Raises
    ------
    IaaError
        If there is no question, if ``level`` names another question, or as `iaa_jax.agreement`
        does.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> tone = iaa.from_wide([["a", "a"], ["b", "a"], ["b", "b"], ["a", "a"]] * 6)
    >>> topic = iaa.from_wide([["x", "x"], ["y", "y"], ["y", "y"], ["x", "y"]] * 6)
    >>> result = iaa.agree.questions({"tone": tone, "topic": topic}, "percent_agreement")
    >>> result.estimate.squeeze().values
    array([0.75, 0.75])
    """
    argument: object = questions
    if not isinstance(argument, Mapping) or not argument:
        raise IaaError("there is no question: give a mapping from names to ratings")
    levels = level if isinstance(level, Mapping) else dict.fromkeys(questions, level)
    if unknown := [name for name in levels if name not in questions]:
        raise OptionError(
            f"{named('level')} names {shown(unknown)}, and the questions are "
            f"{shown([*questions], 12)}"
        )
    of_labels = [replace(label_options, level=levels.get(name)) for name in questions]
    results = []
    for (question, ratings), how in zip(questions.items(), of_labels, strict=True):
        settings = {"label_options": how, "options": options, "progress": progress}
        try:
            results.append(agreement(ratings, coefficients, **settings))
        except IaaError as error:
            raise error.reworded(f"{shown([question])}: {error.message}") from None
    results = [
        result.assign(question_measured_items=("coefficient", _measured_items(result)))
        for result in results
    ]
    in_order = dict.fromkeys(n for r in results for n in r["coefficient"].values.tolist())
    table = joined(results, "question", [*questions]).sel(coefficient=[*in_order])
    counts = {
        figure.name: ("question", [int(r.attrs[figure.name.partition("_")[2]]) for r in results])
        for figure in OF_QUESTIONS
    }
    table = table.assign(counts)
    name = lead_of(table["coefficient"].values.tolist(), in_order=coefficients is not None)
    notes = [[str(r.attrs.get(key, "")) for key in ("reading", "notes")] for r in results]
    of_questions = {"question_notes": json.dumps(dict(zip(questions, notes, strict=True)))}
    attrs = results[0].attrs | of_questions | {"coefficient": name}
    undecided = any(is_open(load_notes(result.attrs["notes"])) for result in results)
    return table.assign_attrs(attrs | _extremes(table, name, undecided=undecided))


def _measured_items(result: xr.Dataset) -> Floats:
    """Return the number of items on which each coefficient is measured."""
    items = np.full(result.sizes["coefficient"], float(result.attrs["pairable_items"]))
    for note in load_notes(result.attrs["notes"]):
        if note.code == "incomplete_items":
            kept = float(result.attrs["items"]) - float(str(note.values["left_out"]))
            items[result["coefficient"].isin(note.about).values] = kept
    return items


def _extremes(result: xr.Dataset, name: str, *, undecided: bool) -> dict[str, object]:
    figures = result["estimate"].sel(coefficient=name).values
    if undecided or np.isnan(figures).all():
        return {"conclusion": UNDECIDED if undecided else "undefined"}
    if len({*result["weights"].sel(coefficient=name).values[~np.isnan(figures)].tolist()}) > 1:
        return {"conclusion": "levels_differ"}
    questions = result["question"].values.tolist()
    ends = {"lowest": int(np.nanargmin(figures)), "highest": int(np.nanargmax(figures))}
    if ends["lowest"] == ends["highest"]:
        return {"conclusion": "measured"}
    return {
        "conclusion": "measured",
        **{f"{end}_question": questions[index] for end, index in ends.items()},
        **{f"{end}_estimate": float(figures[index]) for end, index in ends.items()},
    }
