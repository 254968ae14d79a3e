"""The picture of a comparison: its differences, by coefficient and by label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from iaa_jax._types import Attributes
from iaa_jax.analyses.compare.conclusions import OBSERVED, ComparedRow, names_of_sets
from iaa_jax.pages import Mark, Picture
from iaa_jax.pages.pictures import forest
from iaa_jax.wording import Note


def picture_of_differences(
    coefficients: Sequence[ComparedRow], labels: Sequence[ComparedRow], attrs: Attributes
) -> Iterator[Picture]:
    """Yield a picture of B minus A for coefficients and labels, unless all are undefined.

    Percent agreement is drawn only if it comes first.
    """
    drawn = [row for k, row in enumerate(coefficients) if not k or row["coefficient"] != OBSERVED]
    spans = np.array(
        [*(_span(row, "ci") for row in drawn), *(_span(row, "band") for row in labels)]
    ).reshape(-1, 3)
    if not np.isfinite(spans[:, 0]).any():
        return
    names = [row.title for row in drawn]
    names += [f"Label {row['label']}" for row in labels]
    title = Note("picture_differences", names_of_sets(attrs))
    level = {"confidence": attrs["confidence"]}
    subtitle = Note("picture_intervals_of_labels" if labels else "picture_intervals", level)
    yield forest("differences_drawn", names, spans, title, subtitle, [Mark("", x=0.0)])


def _span(row: ComparedRow, interval: str) -> list[float]:
    """Return a difference and both ends of its single ("ci") or joint ("band") interval."""
    return [row.number(name) for name in ("difference", f"{interval}_low", f"{interval}_high")]
