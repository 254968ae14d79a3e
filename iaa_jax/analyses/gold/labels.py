"""Labels beside the gold ones: how often each is given and gold."""

from __future__ import annotations

import numpy as np

from iaa_jax._types import Columns, Variables
from iaa_jax.data.schema import ints_if_whole
from iaa_jax.measure.labels import label_use
from iaa_jax.measure.tables import RatingTables


def label_figures(tables: RatingTables, variables: Variables) -> Variables:
    """On how many items each label is the gold one, and its share of them and of the ratings."""
    labels = tables.ratings.sizes["label"]
    weight = tables.item_weight
    if "holds" in variables:
        holds, known = variables["holds"][1], variables["gold"][1] != ""
        count = np.asarray(weight @ holds, dtype=np.float64)
    else:
        code = variables["gold_code"][1]
        known = code >= 0
        count = np.bincount(code + 1, weight, minlength=labels + 1)[1:].astype(np.float64)
    used, ratings = label_use(tables, tables.slot_codes.codes)
    of_pattern = tables.identified_table.count
    given = of_pattern @ ratings
    with np.errstate(invalid="ignore", divide="ignore"):
        gold_share = count / weight[known].sum()
        vote_share = of_pattern @ used / given
    figures: Columns = {
        "gold_count": ints_if_whole(count),
        "gold_share": gold_share,
        "vote_share": vote_share,
    }
    return {name: ("label", figure) for name, figure in figures.items()}
