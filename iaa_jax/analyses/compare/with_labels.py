"""Two sets compared by coefficients and by each label."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from iaa_jax._errors import IaaError
from iaa_jax.analyses.compare.study import USUAL, compare
from iaa_jax.data.kind import Kind
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.label_options import UNWEIGHTED
from iaa_jax.measure.partial_credit import PARTIAL_CREDIT
from iaa_jax.measure.results import with_notes
from iaa_jax.measure.studies import begin, usual_of
from iaa_jax.wording import Note

if TYPE_CHECKING:
    import xarray as xr

MOST_LABELS = 50
"""Most labels that are compared one by one without being asked for."""


@public
def compare_with_labels(
    a: xr.Dataset,
    b: xr.Dataset | None = None,
    coefficients: str | Sequence[str] | None = None,
    *,
    by: str | None = None,
    between: Sequence[object] | None = None,
    names: Sequence[str] | None = None,
    paired: bool | Literal["auto"] = "auto",
    labels: bool | None = None,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions),
    permutations: int = 2000,
    margin: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, xr.Dataset]:
    """What ``iaa compare`` prints of two sets: coefficients, and each label.

    Parameters
    ----------
    a, b, by, between, names, paired, permutations, margin
        As `iaa_jax.compare` takes them.
    coefficients : str or sequence of str, optional
        Names, or "all" that apply; by default Krippendorff's alpha and, of labels, percent
        agreement; of spans strict F1.
    labels : bool, optional
        Whether labels are compared one by one; by default from 3 to 50 of them.
    label_options : LabelOptions
    options : IntervalOptions
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    dict of str to xarray.Dataset
        "coefficients", and "labels" where they are compared: results of `iaa_jax.compare`. Of label
        sets that no distance compares also "partial": A_m, which counts sets that match in part, by
        itself, so that it changes no adjusted p-value. `iaa_jax.page` takes all as one page.

    Raises
    ------
    IaaError
        As `iaa_jax.compare` does.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> first = iaa.from_wide([["a", "a"], ["b", "a"], ["b", "b"], ["a", "b"], ["c", "c"]] * 8)
    >>> second = iaa.from_wide([["a", "a"], ["b", "b"], ["b", "b"], ["a", "b"], ["c", "c"]] * 8)
    >>> results = iaa.compare.with_labels(first, second, permutations=200)
    >>> [*results], results["labels"].difference.round(3).values
    (['coefficients', 'labels'], array([0.353, 0.428, 0.   ]))
    """
    begin("Comparing", progress)
    chosen = None if isinstance(coefficients, str) and coefficients == "all" else coefficients
    if coefficients is None:
        tasks = {ratings.attrs["task"] for ratings in (a, b) if ratings is not None}
        chosen = [usual_of(Kind(min(tasks)))] if tasks & {"value", "spans"} else USUAL
    how: dict[str, Any] = {"by": by, "between": between, "names": names, "paired": paired}
    how |= {"options": options, "permutations": permutations, "progress": progress}
    result = compare(a, b, chosen, **how, label_options=label_options, margin=margin)
    results = {"coefficients": result}
    if coefficients is None and _is_of_equal_sets(result):
        begin("Sets", progress)
        results["partial"] = compare(a, b, PARTIAL_CREDIT, **how, margin=margin)
    few = result.attrs["task"] != "value" and 2 < result.attrs["labels"] <= MOST_LABELS
    if not (few if labels is None else labels):
        return results
    begin("Labels", progress)
    lead = result.attrs["coefficient"]
    unweighted = replace(label_options, weights=None, level=None, distance=None)
    try:
        by_label = compare(a, b, lead, **how, label_options=unweighted, per_label=True)
    except IaaError as error:
        if labels:
            raise
        note = Note("labels_not_compared", {"reason": str(error)})
        return results | {"coefficients": with_notes(result, [note])}
    return results | {"labels": by_label}


def _is_of_equal_sets(result: xr.Dataset) -> bool:
    """Whether labels are sets that are equal or not, of annotators who can be told apart."""
    attrs = result.attrs
    plain = set(result["weights"].values.tolist()) <= {*UNWEIGHTED}
    known = not attrs.get("anonymous", 0) and int(attrs["labels"]) > 1
    return attrs["task"] == "multi_label" and plain and known
