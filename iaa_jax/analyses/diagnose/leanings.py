"""The label that an annotator gives more often than the other annotators do."""

from __future__ import annotations

import numpy as np

from iaa_jax._types import Floats, Variables
from iaa_jax.analyses.diagnose.against_others import AnnotatorEstimates
from iaa_jax.data.kind import Kind
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.shared.label_users import LabelUsers

_ALIKE = 1e-12
"""Maximum standard error that counts as 0, because it is only rounding."""


def leanings_of(
    bias: AnnotatorEstimates, items: Floats, tables: Rated, options: IntervalOptions
) -> Variables:
    """Return each annotator's label with the largest bias whose interval is above 0, and this bias.

    If the standard error is 0, there must be enough items for a significant sign test. For members
    of label sets, a test by random signs replaces the interval.
    """
    labels, doubt = tables.labels, 1 - options.confidence
    if tables.kind is Kind.SETS and options.interval is not None:
        labels = tables.label_names
        users = LabelUsers.of(tables).figures()
        excess = np.maximum(users["given"] - users["given_by_others"], 0.0)
        sure = np.where(users["given_p_value"] <= doubt, excess, 0.0)
    else:
        enough = items[:, None] * np.log(2) > -np.log(doubt / 2)
        varies = bias.standard_error > _ALIKE
        sure = np.where((bias.ci_low > 0) & (varies | enough), bias.estimate, 0.0)
    label = np.argmax(sure, axis=1)
    leaning = np.take_along_axis(sure, label[:, None], axis=1)[:, 0]
    names = np.array([*map(str, labels), ""], dtype=object)
    return {
        "leans_to": ("annotator", names[np.where(leaning > 0, label, len(labels))]),
        "leaning": ("annotator", np.where(leaning > 0, leaning, np.nan)),
    }
