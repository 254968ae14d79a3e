"""Call another program on tables: python calls.py PROGRAM < tables.json > values.json.

It runs in the environment of that program and imports nothing of this package. A table has the keys
``table``, ``labels`` and ``rows`` (items x annotators, null for no rating). A value has the keys
``table``, ``coefficient`` (by its name in this package), ``weights`` and ``value``; where the
program fails, the value is the kind of the error.
"""

from __future__ import annotations

import json
import math
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

Row = list[Any]
Calls = Iterator[tuple[str, str, Callable[[], Any]]]
"""Coefficients, their weights ("" for none), and the calls that compute them."""


def krippendorff(labels: Row, rows: list[Row]) -> Calls:
    """Yield alpha, with the labels in their declared order."""
    import krippendorff as program
    import numpy as np

    codes = np.array(
        [[math.nan if each is None else labels.index(each) for each in row] for row in rows]
    )
    for weights, level in (("", "nominal"), ("ordinal", "ordinal"), ("interval", "interval")):

        def call(level: str = level) -> float:
            return float(
                program.alpha(
                    codes.T, level_of_measurement=level, value_domain=list(range(len(labels)))
                )
            )

        yield "krippendorff_alpha", weights, call


def irrcac(labels: Row, rows: list[Row]) -> Calls:
    """Yield all coefficients of raw ratings."""
    import pandas as pd
    from irrCAC.raw import CAC

    codes = {label: number for number, label in enumerate(labels, start=1)}
    frame = pd.DataFrame([[codes.get(each) for each in row] for row in rows], dtype=float)
    names = {
        "brennan_prediger": "bp",
        "conger_kappa": "conger",
        "fleiss_kappa": "fleiss",
        "gwet_ac1": "gwet",
        "krippendorff_alpha": "krippendorff",
    }
    for name, method in names.items():
        for weights in ("", "quadratic"):

            def call(method: str = method, weights: str = weights) -> float:
                made = CAC(
                    frame,
                    weights=weights or "identity",
                    categories=sorted(codes.values()),
                    digits=15,
                )
                return float(getattr(made, method)()["est"]["coefficient_value"])

            yield "gwet_ac2" if weights and name == "gwet_ac1" else name, weights, call


def statsmodels(labels: Row, rows: list[Row]) -> Calls:
    """Yield kappas of tables of counts, which must have no gaps."""
    import numpy as np
    from statsmodels.stats import inter_rater

    counts = np.array([[row.count(label) for label in labels] for row in rows])
    yield "fleiss_kappa", "", lambda: inter_rater.fleiss_kappa(counts, method="fleiss")
    yield "brennan_prediger", "", lambda: inter_rater.fleiss_kappa(counts, method="uniform")
    if len(rows[0]) == 2 and not any(None in row for row in rows):
        table = np.zeros((len(labels), len(labels)))
        for first, second in rows:
            table[labels.index(first), labels.index(second)] += 1
        for weights in ("", "linear", "quadratic"):

            def call(weights: str = weights) -> float:
                kind = {"wt": weights} if weights else {}
                return float(inter_rater.cohens_kappa(table, return_results=True, **kind).kappa)

            yield "cohen_kappa", weights, call


def sklearn(labels: Row, rows: list[Row]) -> Calls:
    """Yield Cohen's kappa of two annotators without gaps."""
    from sklearn.metrics import cohen_kappa_score

    if len(rows[0]) != 2 or any(None in row for row in rows):
        return
    first, second = zip(*rows, strict=True)
    for weights in ("", "linear", "quadratic"):

        def call(weights: str = weights) -> float:
            return float(cohen_kappa_score(first, second, labels=labels, weights=weights or None))

        yield "cohen_kappa", weights, call


def nltk(labels: Row, rows: list[Row]) -> Calls:
    """Yield the coefficients of an annotation task."""
    from nltk.metrics.agreement import AnnotationTask

    del labels
    triples = [
        (f"c{annotator}", f"i{item}", label)
        for item, row in enumerate(rows)
        for annotator, label in enumerate(row)
        if label is not None
    ]
    names = {
        "percent_agreement": "avg_Ao",
        "scott_pi": "pi",
        "brennan_prediger": "S",
        "mean_pairwise_cohen_kappa": "kappa",
        "davies_fleiss_kappa": "multi_kappa",
        "krippendorff_alpha": "alpha",
    }
    for name, method in names.items():
        if name == "scott_pi" and len(rows[0]) > 2:
            name = "fleiss_kappa"  # NLTK's pi of several annotators
        yield name, "", lambda method=method: getattr(AnnotationTask(triples), method)()


def crowdkit(labels: Row, rows: list[Row]) -> Calls:
    """Yield Krippendorff's alpha."""
    import pandas as pd
    from crowdkit.metrics.data import alpha_krippendorff

    del labels
    triples = [
        (item, annotator, label)
        for item, row in enumerate(rows)
        for annotator, label in enumerate(row)
        if label is not None
    ]
    frame = pd.DataFrame(triples, columns=["task", "worker", "label"])
    yield "krippendorff_alpha", "", lambda: alpha_krippendorff(frame)


PROGRAMS = {
    "krippendorff": krippendorff,
    "irrCAC (Python)": irrcac,
    "statsmodels": statsmodels,
    "scikit-learn": sklearn,
    "nltk": nltk,
    "crowd-kit": crowdkit,
}


def values(program: str, tables: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield every coefficient of the program on every table."""
    for table in tables:
        for name, weights, call in PROGRAMS[program](table["labels"], table["rows"]):
            value: float | str
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    value = float(call())
            except Exception as error:
                value = type(error).__name__
            if isinstance(value, float) and not math.isfinite(value):
                value = "nan" if math.isnan(value) else "inf"
            yield {"table": table["table"], "coefficient": name, "weights": weights, "value": value}


if __name__ == "__main__":
    json.dump([*values(sys.argv[1], json.load(sys.stdin))], sys.stdout)
