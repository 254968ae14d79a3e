"""How much higher or lower an annotator's numbers are than those of the others."""

from __future__ import annotations

import numpy as np
import xarray as xr

from iaa_jax._types import Floats, Variables
from iaa_jax.analyses.diagnose.comparisons import ITEMS, TIED, Comparisons
from iaa_jax.analyses.diagnose.label_estimates import Survey
from iaa_jax.kernels.intervals import student_t
from iaa_jax.measure.requests.floors import enough_to_name, without_rounding
from iaa_jax.wording import Note

MOST_NAMED = 3
"""Maximum number of annotators whose differences are in the answer."""


def shifts_of(compared: Comparisons, numbers: Floats, survey: Survey) -> Variables:
    """Return each annotator's mean difference from the mean of the others on the same items.

    The interval and the test (of a difference of 0) are those of Student's t for the mean
    difference per item or, with clusters, per cluster.
    """
    own, others = (shares @ (numbers - numbers[0]) for shares in compared.both)
    items = compared.by_annotator(compared.sums[:, ITEMS])
    known = np.where(items > TIED, items, np.nan)
    estimate = compared.by_annotator(own - others) / known
    variables: Variables = {"mean_difference": ("annotator", estimate)}
    options, clusters = survey.options, survey.resampling.clusters
    if options.interval is None:
        return variables
    away = own - others - compared.sums[:, ITEMS] * estimate[compared.annotator]
    squares, _ = compared.moments(away / known[compared.annotator], clusters)
    units = items if clusters is None else compared.clusters_of_each(clusters)
    units = np.where(units > 1, units, np.nan)
    error = without_rounding(np.sqrt(units / (units - 1) * squares))
    low, high = student_t(estimate, error, units - 1, options.confidence)
    parts = {
        "standard_error": error,
        "ci_low": low,
        "ci_high": high,
        "p_value": _p_value(estimate, error, units - 1),
    }
    return variables | {
        f"mean_difference_{name}": ("annotator", values) for name, values in parts.items()
    }


def _p_value(estimate: Floats, error: Floats, degrees: Floats) -> Floats:
    from scipy.special import stdtr

    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(2 * stdtr(degrees, -np.abs(estimate) / error))


def shift_notes(table: xr.Dataset, confidence: float) -> list[Note]:
    """Return a note on the annotators whose numbers differ from the others' beyond chance.

    Annotators share enough items with others to be named, and p-values are corrected for their
    number. Of two annotators, only the higher one is named.
    """
    if "mean_difference_p_value" not in table:
        return []
    shared, names = table["shared_items"].values, table["annotator"].values.tolist()
    estimate = np.nan_to_num(table["mean_difference"].values)
    tested = enough_to_name(shared)
    p_value = np.where(tested, table["mean_difference_p_value"].values * tested.sum(), np.nan)
    found = np.flatnonzero((p_value <= 1 - confidence) & (estimate != 0))
    others = Note("all_the_others")
    if len(names) == 2:
        found = found[estimate[found] > 0]
        others = Note("the_other", {"name": str(names[int(np.argmin(estimate))])})
    order = found[np.argsort(-np.abs(estimate[found]), kind="stable")]
    each = []
    for row in order[:MOST_NAMED].tolist():
        ends = [float(table[f"mean_difference_ci_{end}"].values[row]) for end in ("low", "high")]
        higher = bool(estimate[row] > 0)
        values = {
            "name": str(names[row]),
            "difference": abs(float(estimate[row])),
            "ends": ends if higher else [-ends[1], -ends[0]],
        }
        each.append(Note("number_higher" if higher else "number_lower", values))
    more = len(order) - len(each)
    further = Note("others_differ", {"more": more}) if more else ""
    values = {"others": others, "each": each, "further": further}
    return [Note("numbers_differ", values)] if each else []
