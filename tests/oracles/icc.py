"""Intraclass correlations, by mean squares and by equating quadratic forms to their expectations.

Shrout, P. E. and Fleiss, J. L. (1979). Intraclass correlations: uses in assessing rater
reliability. Psychological Bulletin 86, 420-428. doi:10.1037/0033-2909.86.2.420. McGraw, K. O. and
Wong, S. P. (1996). Forming inferences about some intraclass correlation coefficients.
Psychological Methods 1, 30-46. doi:10.1037/1082-989X.1.1.30. Unequal numbers of ratings: Searle,
S. R., Casella, G. and McCulloch, C. E. (1992). Variance Components, chapter 3.

Tables are lists of items, each a list of numbers by annotator, None where not rated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Table = Sequence[Sequence[float | None]]


def mean_squares(table: Sequence[Sequence[float]]) -> dict[str, float]:
    """Of a complete table: between items, within items, between annotators, rest."""
    n, k = len(table), len(table[0])
    grand = sum(sum(row) for row in table) / (n * k)
    rows = [sum(row) / k for row in table]
    columns = [sum(row[a] for row in table) / n for a in range(k)]
    within = sum((table[i][a] - rows[i]) ** 2 for i in range(n) for a in range(k))
    rest = sum(
        (table[i][a] - rows[i] - columns[a] + grand) ** 2 for i in range(n) for a in range(k)
    )
    return {
        "BMS": k * sum((x - grand) ** 2 for x in rows) / (n - 1),
        "WMS": within / (n * (k - 1)),
        "JMS": n * sum((x - grand) ** 2 for x in columns) / (k - 1),
        "EMS": rest / ((n - 1) * (k - 1)),
    }


def icc_of_mean_squares(table: Sequence[Sequence[float]]) -> dict[str, float]:
    """The six forms as Shrout and Fleiss print them, for a complete table."""
    n, k = len(table), len(table[0])
    found = mean_squares(table)
    bms, wms, jms, ems = found["BMS"], found["WMS"], found["JMS"], found["EMS"]
    return {
        "icc1": (bms - wms) / (bms + (k - 1) * wms),
        "icc2": (bms - ems) / (bms + (k - 1) * ems + k * (jms - ems) / n),
        "icc3": (bms - ems) / (bms + (k - 1) * ems),
        "icc1k": (bms - wms) / bms,
        "icc2k": (bms - ems) / (bms + (jms - ems) / n),
        "icc3k": (bms - ems) / bms,
    }


def icc_by_expectations(table: Table, annotator_weight: Sequence[float]) -> dict[str, float]:
    """The six forms with gaps and annotator weights, from expectations worked out effect by effect.

    A quadratic form's expectation is, for each component, the sum over its effects of the form on a
    table that is 1 where the effect acts and 0 elsewhere.
    """
    one_way = [[x if annotator_weight[a] > 0 else None for a, x in enumerate(r)] for r in table]
    one_way = [row for row in one_way if any(x is not None for x in row)]
    within, between = _form_within, _form_between
    s = {name: _unit_items(one_way, form, annotator_weight) for name, form in _ONE_WAY.items()}
    e = {name: _unit_cells(one_way, form, annotator_weight) for name, form in _ONE_WAY.items()}
    rest = within(one_way, annotator_weight) / e["within"]
    items = (between(one_way, annotator_weight) - rest * e["between"]) / s["between"]
    per_mean = e["between"] / s["between"]
    found = {"icc1": items / (items + rest), "icc1k": items / (items + rest * per_mean)}

    asked = [a for a, weight in enumerate(annotator_weight) if weight > 0]
    complete = [[row[a] for a in asked] for row in table if all(row[a] is not None for a in asked)]
    v = [annotator_weight[a] for a in asked]
    if len(complete) < 2:
        return found
    forms = (_form_items, _form_annotators, _form_rest)
    observed = [form(complete, v) for form in forms]
    by_item = [_unit_items(complete, form, v) for form in forms]
    by_annotator = [_unit_annotators(complete, form, v) for form in forms]
    by_cell = [_unit_cells(complete, form, v) for form in forms]
    rest = observed[2] / by_cell[2]
    annotators = (observed[1] - rest * by_cell[1]) / by_annotator[1]
    items = (observed[0] - rest * by_cell[0]) / by_item[0]
    per_mean = by_cell[0] / by_item[0]
    return {
        **found,
        "icc2": items / (items + annotators + rest),
        "icc3": items / (items + rest),
        "icc2k": items / (items + (annotators + rest) * per_mean),
        "icc3k": items / (items + rest * per_mean),
    }


Form = Callable[[Table, Sequence[float]], float]


def _mean(row: Sequence[float | None], v: Sequence[float]) -> float:
    total = sum(v[a] for a, x in enumerate(row) if x is not None)
    return sum(v[a] * x for a, x in enumerate(row) if x is not None) / total


def _form_within(table: Table, v: Sequence[float]) -> float:
    return sum(
        v[a] * (x - _mean(row, v)) ** 2 for row in table for a, x in enumerate(row) if x is not None
    )


def _form_between(table: Table, v: Sequence[float]) -> float:
    sizes = [sum(v[a] for a, x in enumerate(row) if x is not None) for row in table]
    means = [_mean(row, v) for row in table]
    grand = sum(n * x for n, x in zip(sizes, means, strict=True)) / sum(sizes)
    return sum(n * (x - grand) ** 2 for n, x in zip(sizes, means, strict=True))


def _form_items(table: Table, v: Sequence[float]) -> float:
    means = [_mean(row, v) for row in table]
    grand = sum(means) / len(means)
    return sum((x - grand) ** 2 for x in means)


def _form_annotators(table: Table, v: Sequence[float]) -> float:
    columns = [sum(row[a] for row in table) / len(table) for a in range(len(v))]
    grand = sum(w * x for w, x in zip(v, columns, strict=True)) / sum(v)
    return sum(w * (x - grand) ** 2 for w, x in zip(v, columns, strict=True))


def _form_rest(table: Table, v: Sequence[float]) -> float:
    columns = [sum(row[a] for row in table) / len(table) for a in range(len(v))]
    grand = sum(w * x for w, x in zip(v, columns, strict=True)) / sum(v)
    return sum(
        v[a] * (row[a] - _mean(row, v) - columns[a] + grand) ** 2
        for row in table
        for a in range(len(v))
    )


_ONE_WAY: dict[str, Form] = {"within": _form_within, "between": _form_between}


def _only(table: Table, where: Callable[[int, int], bool]) -> list[list[float | None]]:
    return [
        [None if x is None else float(where(i, a)) for a, x in enumerate(row)]
        for i, row in enumerate(table)
    ]


def _unit_items(table: Table, form: Form, v: Sequence[float]) -> float:
    return sum(form(_only(table, lambda i, a, j=j: i == j), v) for j in range(len(table)))


def _unit_annotators(table: Table, form: Form, v: Sequence[float]) -> float:
    return sum(form(_only(table, lambda i, a, b=b: a == b), v) for b in range(len(table[0])))


def _unit_cells(table: Table, form: Form, v: Sequence[float]) -> float:
    return sum(
        form(_only(table, lambda i, a, j=j, b=b: i == j and a == b), v)
        for j in range(len(table))
        for b in range(len(table[0]))
        if table[j][b] is not None
    )
