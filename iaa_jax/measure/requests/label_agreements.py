"""The matrix of agreement between labels, from the options and one set of ratings."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats, Values
from iaa_jax.catalog import Coefficient
from iaa_jax.data.kind import Kind
from iaa_jax.kernels import label_agreement
from iaa_jax.measure.options.label_options import Distance, LabelOptions
from iaa_jax.measure.ratings.magnitude import rescale
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.floors import ROUNDING
from iaa_jax.measure.requests.steps import steps_of
from iaa_jax.wording import as_list, keyword, named


def out_of_order(labels: Values) -> bool:
    """Tell whether labels are numbers that neither rise nor fall throughout.

    Examples
    --------
    >>> out_of_order(np.array([10, 1, 5, 3])), out_of_order(np.array([3, 2, 1]))
    (True, False)
    """
    if labels.dtype.kind not in "iuf":
        return False
    steps = np.diff(labels)
    return bool((steps > 0).any() and (steps < 0).any())


def _both_orders(what: str, labels: list[float]) -> str:
    declared, by_size = (", ".join(map(str, order[:8])) for order in (labels, sorted(labels)))
    if len(labels) > 8:
        declared, by_size = f"{declared}, ...", f"{by_size}, ..."
    return (
        f"{what} goes by the order of labels, and these labels are numbers declared in an order "
        f"that is not their own ({declared}): declare them as {by_size} in {named('labels')} if "
        f"the order of the numbers is meant, or number them in the order that is meant, 1 for "
        f"{labels[0]}, 2 for {labels[1]} and so on ({named('recode')})"
    )


class LabelAgreements:
    """The agreement between the labels of one set of ratings."""

    def __init__(self, tables: Rated, options: LabelOptions) -> None:
        self.tables = tables
        self.options = options

    def check_order(self, what: str) -> None:
        """Raise an error if the order of the labels is unknown or ambiguous.

        It is unknown for text labels without a declared order, and ambiguous for numbers that
        neither rise nor fall throughout, unless weights are on ranks.
        """
        if not self.tables.labels_in_order:
            labels = [*map(str, self.tables.label_names.tolist())]
            steps = steps_of(labels)
            order = keyword("labels", as_list(steps)) if steps else keyword("labels")
            raise IaaError(
                f"{what} needs labels in order, and these are text whose order was not declared "
                f"({', '.join(labels[:8])}): give {order} from lowest to highest"
            )
        if self.options.weights_on == "value" and out_of_order(self.tables.label_names):
            raise IaaError(_both_orders(what, self.tables.label_names.tolist()))

    def used(self, row: Coefficient | None) -> str:
        """Return the words by which results describe the agreement between labels."""
        options = self.options
        if row is not None and not row.takes_weights:
            return "identity"
        if options.distance is not None:
            name = options.distance if isinstance(options.distance, str) else "given"
            return f"distance {name}"
        if options.weights is None:
            return "identity"
        name = options.weights if isinstance(options.weights, str) else "given"
        on_rank = isinstance(options.weights, str) and self._values_are_ranks()
        return f"{name} on ranks" if on_rank else name

    def _values_are_ranks(self) -> bool:
        return self.options.weights_on == "rank" or self.tables.label_names.dtype.kind not in "iuf"

    def matrix(self, row: Coefficient | None) -> Floats | None:
        """Return the (label, label) agreement that a coefficient takes; None if none was given."""
        if row is not None and not row.takes_weights:
            return None
        return self._matrix

    @cached_property
    def _matrix(self) -> Floats | None:
        weights, distance = self.options.weights, self.options.distance
        if weights is None and distance is None:
            return None
        if distance is not None:
            return 1 - self._distance_table(distance)
        if isinstance(weights, str):
            return self._named_weights(weights)
        return self._checked_table(weights, "weights", diagonal=1.0)

    def _named_weights(self, name: str) -> Floats | None:
        if self.tables.kind is Kind.SETS:
            raise IaaError(
                f"{keyword('weights', name)} compares single labels; for label sets use "
                f"{keyword('distance')}"
            )
        if self._values_are_ranks() or name == "ordinal":
            self.check_order(keyword("weights", name))
            values = np.arange(1.0, self.tables.label_count + 1)
        else:
            values = self.tables.label_names.astype(np.float64)
            if name == "ratio" and values.min() < 0:
                raise IaaError(
                    f"{keyword('weights', name)} needs labels from 0 up; use "
                    f"{keyword('weights_on', 'rank')}"
                )
        if name not in ("identity", "ordinal"):
            values, _ = rescale(values, "ratios" if name == "ratio" else "differences")
        return np.asarray(label_agreement.NAMED[name](values))

    def _distance_table(self, distance: Distance) -> Floats:
        sets = self.tables.kind is Kind.SETS
        if isinstance(distance, str):
            if not sets and distance != "binary":
                raise IaaError(
                    f"{keyword('distance', distance)} compares label sets, and here "
                    f"each rating is one label: make sets with from_sets, or read them with "
                    f"{keyword('separator')} or {keyword('multi_hot')}"
                )
            if sets:
                masses = self.tables.distinct_masses
                return np.asarray(label_agreement.table_of_sets(distance, masses))
            function = label_agreement.SET_DISTANCES[distance]
        elif callable(distance):
            function = distance
        else:
            return self._checked_table(distance, "distance", diagonal=0.0)
        labels = self.tables.set_labels if sets else self.tables.label_names.tolist()
        if not sets and isinstance(distance, str):
            labels = [(label,) for label in labels]
        return self._checked_table(
            label_agreement.table(function, labels), "distance", diagonal=0.0
        )

    def _checked_table(self, matrix: ArrayLike | None, name: str, diagonal: float) -> Floats:
        labels = self.tables.label_count
        try:
            table = np.asarray(matrix, dtype=np.float64)
        except (TypeError, ValueError):
            raise IaaError(
                f"{named(name)} must be a name or a table of numbers ({labels:,} x {labels:,} "
                "labels)"
            ) from None
        if table.shape != (labels, labels):
            raise IaaError(
                f"{named(name)} must be a {labels:,} x {labels:,} table, a row and a column for "
                "each label in order; it is "
                f"{' x '.join(map(str, table.shape)) or 'a single number'}"
            )
        beyond = table < 0 if diagonal == 0 else table > 1
        if not np.isfinite(table).all() or beyond.any():
            bound = "from 0 up" if diagonal == 0 else "up to 1"
            raise IaaError(f"the entries of {named(name)} must be finite numbers {bound}")
        if not np.allclose(np.diagonal(table), diagonal, rtol=0, atol=ROUNDING):
            raise IaaError(
                f"the diagonal of {named(name)} must be {diagonal:g}: each label "
                f"{'agrees fully with' if diagonal else 'has no distance from'} itself"
            )
        return table
