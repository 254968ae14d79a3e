"""Standard errors by formulas, as literal loops over items, annotators and labels.

Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th edition, chapters 5 and 6. Fleiss, J.
L., Cohen, J. and Everitt, B. S. (1969). Large sample standard errors of kappa and weighted kappa.
Psychological Bulletin 72, 323-327. doi:10.1037/h0028106. Fleiss, J. L., Nee, J. C. M. and Landis,
J. R. (1979). Large sample variance of kappa in the case of different sets of raters. Psychological
Bulletin 86, 974-977. doi:10.1037/0033-2909.86.5.974. F intervals: Shrout, P. E. and Fleiss, J. L.
(1979). Psychological Bulletin 86, 420-428. doi:10.1037/0033-2909.86.2.420. McGraw, K. O. and Wong,
S. P. (1996). Psychological Methods 1, 30-46. doi:10.1037/1082-989X.1.1.30.

Ratings are lists of items, each a list of label indices by annotator, None where not rated; an
item stands there as often as it occurs. Tables are counts, rows the first annotator's labels, and
``s`` is a matrix of agreements between labels.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from scipy.stats import f as f_distribution

from tests.oracles.icc import mean_squares

Ratings = Sequence[Sequence[int | None]]
Matrix = Sequence[Sequence[float]]


def identity(labels: int) -> list[list[float]]:
    return [[float(k == j) for j in range(labels)] for k in range(labels)]


def _counts(row: Sequence[int | None], labels: int) -> list[int]:
    return [sum(1 for label in row if label == k) for k in range(labels)]


def _agreeing_pairs(counts: Sequence[int], s: Matrix) -> float:
    """r_ik (r*_ik - 1) summed over labels, r*_ik = sum_l s_kl r_il."""
    labels = range(len(counts))
    return sum(counts[k] * (sum(s[k][j] * counts[j] for j in labels) - 1) for k in labels)


def gwet_linearized(ratings: Ratings, s: Matrix, coefficient: str) -> float:
    """Percent agreement, Brennan-Prediger, Fleiss, AC2 and Conger, many annotators with gaps."""
    q = len(s)
    labels = range(q)
    rows = [row for row in ratings if any(label is not None for label in row)]
    n = len(rows)
    counts = [_counts(row, q) for row in rows]
    sizes = [sum(count) for count in counts]
    more = sum(1 for size in sizes if size >= 2)
    agree = [
        _agreeing_pairs(count, s) / (size * (size - 1)) if size >= 2 else 0.0
        for count, size in zip(counts, sizes, strict=True)
    ]
    pa = sum(agree) / more
    pi = [
        sum(count[k] / size for count, size in zip(counts, sizes, strict=True)) / n for k in labels
    ]
    total = sum(s[k][j] for k in labels for j in labels)
    if coefficient == "percent_agreement":
        pe, chance = 0.0, [0.0] * n
    elif coefficient == "brennan_prediger":
        pe = total / q**2
        chance = [pe] * n
    elif coefficient == "fleiss_kappa":
        pe = sum(s[k][j] * pi[k] * pi[j] for k in labels for j in labels)
        mean = [sum((s[k][j] + s[j][k]) / 2 * pi[j] for j in labels) for k in labels]
        chance = [
            sum(count[k] * mean[k] for k in labels) / size
            for count, size in zip(counts, sizes, strict=True)
        ]
    elif coefficient == "gwet_ac2":
        pe = total / (q * (q - 1)) * sum(pi[k] * (1 - pi[k]) for k in labels)
        chance = [
            total / (q * (q - 1)) * sum(count[k] * (1 - pi[k]) for k in labels) / size
            for count, size in zip(counts, sizes, strict=True)
        ]
    else:
        pe, chance = _conger_chance(rows, s)
    estimate = (pa - pe) / (1 - pe)
    squares = 0.0
    for i in range(n):
        own = n / more * (agree[i] - pe if sizes[i] >= 2 else 0.0) / (1 - pe)
        share = own - 2 * (1 - estimate) * (chance[i] - pe) / (1 - pe)
        squares += (share - estimate) ** 2
    return math.sqrt(squares / (n * (n - 1)))


def _conger_chance(rows: Ratings, s: Matrix) -> tuple[float, list[float]]:
    n, r, labels = len(rows), len(rows[0]), range(len(s))
    rated = [sum(1 for row in rows if row[g] is not None) for g in range(r)]
    p = [[sum(1 for row in rows if row[g] == k) / rated[g] for k in labels] for g in range(r)]
    pe = sum(
        p[g][k] * p[h][j] * s[k][j]
        for g in range(r)
        for h in range(r)
        if g != h
        for k in labels
        for j in labels
    ) / (r * (r - 1))
    chance = []
    for row in rows:
        total = 0.0
        for g in range(r):
            epsilon = float(row[g] is not None)
            for k in labels:
                scored = 0.0
                for j in labels:
                    delta = float(row[g] == j)
                    scored += (s[k][j] + s[j][k]) / 2 * (delta - (epsilon - rated[g] / n) * p[g][j])
                others = sum(p[h][k] for h in range(r)) - p[g][k]
                total += n / rated[g] * scored * others
        chance.append(total / (r * (r - 1)))
    return pe, chance


def alpha_linearized(ratings: Ratings, s: Matrix, form: str = "raw") -> float:
    """Krippendorff's alpha: "raw" data, with "corrected_pa", or from the "dist"ribution of labels.

    The last two are irrCAC's for Python and irrCAC's for counts in R.
    """
    q = len(s)
    labels = range(q)
    counts = [count for count in (_counts(row, q) for row in ratings) if sum(count) >= 2]
    n = len(counts)
    sizes = [sum(count) for count in counts]
    mean = sum(sizes) / n
    epsilon = 1 / sum(sizes)
    agree = [
        _agreeing_pairs(count, s) / (mean * (size - 1))
        for count, size in zip(counts, sizes, strict=True)
    ]
    plain = sum(agree) / n
    corrected = (1 - epsilon) * plain + epsilon
    pi = [sum(count[k] for count in counts) / (n * mean) for k in labels]
    pe = sum(s[k][j] * pi[k] * pi[j] for k in labels for j in labels)
    about = {"raw": plain, "corrected_pa": corrected, "dist": plain}[form]
    estimate = ((corrected if form == "dist" else plain) - pe) / (1 - pe)
    squares = 0.0
    for count, size, agreement in zip(counts, sizes, agree, strict=True):
        excess = (size - mean) / mean
        own = agreement - about * excess
        if form == "dist":
            own = (1 - epsilon) * own + epsilon
        chance = (
            sum(count[k] * (s[k][j] + s[j][k]) / 2 * pi[j] for k in labels for j in labels) / mean
            - (1.0 if form == "dist" else pe) * excess
        )
        times = 1 if form == "dist" else 2
        share = (own - pe) / (1 - pe) - times * (1 - estimate) * (chance - pe) / (1 - pe)
        squares += (share - estimate) ** 2
    return math.sqrt(squares / (n * (n - 1)))


def gwet_two_rater(table: Matrix, s: Matrix, coefficient: str) -> float:
    """Two annotators who rated every item."""
    labels = range(len(s))
    q, n = len(s), sum(map(sum, table))
    p = [[cell / n for cell in row] for row in table]
    first = [sum(p[k]) for k in labels]
    second = [sum(p[k][j] for k in labels) for j in labels]
    pi = [(first[k] + second[k]) / 2 for k in labels]
    total = sum(map(sum, s))
    pa = sum(p[k][j] * s[k][j] for k in labels for j in labels)
    if coefficient in ("scott_pi", "krippendorff_alpha"):
        pe = sum(s[k][j] * pi[k] * pi[j] for k in labels for j in labels)
        of = [sum((s[k][j] + s[j][k]) / 2 * pi[j] for j in labels) for k in labels]
        chance = [[of[k] + of[j] for j in labels] for k in labels]
    elif coefficient == "gwet_ac2":
        pe = total * sum(x * (1 - x) for x in pi) / (q * (q - 1))
        chance = [
            [2 * total * (1 - (pi[k] + pi[j]) / 2) / (q * (q - 1)) for j in labels] for k in labels
        ]
    else:
        pe = total / q**2 if coefficient == "brennan_prediger" else 0.0
        squares = sum(p[k][j] * s[k][j] ** 2 for k in labels for j in labels)
        return math.sqrt((squares - pa**2) / (n * (1 - pe) ** 2))
    estimate = (pa - pe) / (1 - pe)
    squares = sum(
        p[k][j] * (s[k][j] - (1 - estimate) * chance[k][j]) ** 2 for k in labels for j in labels
    )
    return math.sqrt((squares - (pa - 2 * (1 - estimate) * pe) ** 2) / (n * (1 - pe) ** 2))


def fleiss_cohen_everitt(table: Matrix, s: Matrix, *, null: bool = False) -> float:
    """The general form, and the one for independent annotators, on a table of two."""
    labels = range(len(s))
    n = sum(map(sum, table))
    p = [[cell / n for cell in row] for row in table]
    first = [sum(p[k]) for k in labels]
    second = [sum(p[k][j] for k in labels) for j in labels]
    pa = sum(p[k][j] * s[k][j] for k in labels for j in labels)
    pe = sum(first[k] * second[j] * s[k][j] for k in labels for j in labels)
    rows = [sum(second[j] * s[k][j] for j in labels) for k in labels]
    columns = [sum(first[k] * s[k][j] for k in labels) for j in labels]
    if null:
        squares = sum(
            first[k] * second[j] * (s[k][j] - (rows[k] + columns[j])) ** 2
            for k in labels
            for j in labels
        )
        return math.sqrt((squares - pe**2) / (n * (1 - pe) ** 2))
    squares = sum(
        p[k][j] * (s[k][j] * (1 - pe) - (rows[k] + columns[j]) * (1 - pa)) ** 2
        for k in labels
        for j in labels
    )
    return math.sqrt((squares - (pa * pe - 2 * pe + pa) ** 2) / (n * (1 - pe) ** 4))


def fleiss_1981_null(table: Matrix) -> float:
    """The unweighted null form as Fleiss (1981, section 13.1) prints it."""
    labels = range(len(table))
    n = sum(map(sum, table))
    first = [sum(table[k]) / n for k in labels]
    second = [sum(table[k][j] for k in labels) / n for j in labels]
    pe = sum(first[k] * second[k] for k in labels)
    third = sum(first[k] * second[k] * (first[k] + second[k]) for k in labels)
    return math.sqrt(pe + pe**2 - third) / ((1 - pe) * math.sqrt(n))


def fleiss_nee_landis_null(ratings: Ratings, labels: int) -> float:
    """All labels together: m ratings on each of n items."""
    n, m = len(ratings), sum(1 for label in ratings[0] if label is not None)
    p = [sum(_counts(row, labels)[k] for row in ratings) / (n * m) for k in range(labels)]
    pq = sum(x * (1 - x) for x in p)
    skewed = sum(x * (1 - x) * ((1 - x) - x) for x in p)
    return math.sqrt(2) / (pq * math.sqrt(n * m * (m - 1))) * math.sqrt(pq**2 - skewed)


def icc_f_intervals(
    table: Sequence[Sequence[float]], confidence: float
) -> dict[str, tuple[float, float, float, float, float, float]]:
    """Low, high, F, df1, df2 and p of the six forms, from the mean squares of complete numbers."""
    n, k = len(table), len(table[0])
    found = mean_squares(table)
    bms, wms, jms, ems = found["BMS"], found["WMS"], found["JMS"], found["EMS"]
    level = 1 - (1 - confidence) / 2
    quantile: Callable[..., float] = f_distribution.ppf

    result = {}
    for name, below, df2 in (("icc1", wms, n * (k - 1)), ("icc3", ems, (n - 1) * (k - 1))):
        f, df1 = bms / below, n - 1
        lower = f / quantile(level, df1, df2)
        upper = f * quantile(level, df2, df1)
        test = (f, df1, df2, float(f_distribution.sf(f, df1, df2)))
        ends = [(end - 1) / (end + k - 1) for end in (lower, upper)]
        result[name] = (ends[0], ends[1], *test)
        result[f"{name}k"] = (1 - 1 / lower, 1 - 1 / upper, *test)
    rho = (bms - ems) / (bms + (k - 1) * ems + k * (jms - ems) / n)
    fj = jms / ems
    vn = (k - 1) * (n - 1) * (k * rho * fj + n * (1 + (k - 1) * rho) - k * rho) ** 2
    vd = (n - 1) * k**2 * rho**2 * fj**2 + (n * (1 + (k - 1) * rho) - k * rho) ** 2
    v = vn / vd
    star, other = quantile(level, n - 1, v), quantile(level, v, n - 1)
    low = n * (bms - star * ems) / (star * (k * jms + (k * n - k - n) * ems) + n * bms)
    high = n * (other * bms - ems) / (k * jms + (k * n - k - n) * ems + n * other * bms)
    result["icc2"] = (low, high, *result["icc3"][2:])
    of_mean = [end * k / (1 + end * (k - 1)) for end in (low, high)]
    result["icc2k"] = (of_mean[0], of_mean[1], *result["icc3"][2:])
    return result
