"""Two small tables of two annotators, with every coefficient computed by hand."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax.catalog import CATALOG
from tests.kernels.cases import MEASURES

FIRST = iaa.from_contingency([[20, 5], [10, 15]], labels=["yes", "no"])
SECOND = iaa.from_contingency([[1, 2], [3, 4]], labels=["yes", "no"])

OF_LABELS = [name for name in CATALOG if name in MEASURES and not MEASURES[name].label_sets]

BY_HAND = {
    # 50 items; margins .5 .5 and .6 .4, pooled .55 .45
    "first": {
        "percent_agreement": Fraction(7, 10),
        "cohen_kappa": Fraction(2, 5),
        "mean_pairwise_cohen_kappa": Fraction(2, 5),
        "conger_kappa": Fraction(2, 5),
        "davies_fleiss_kappa": Fraction(2, 5),
        "hubert_kappa": Fraction(2, 5),
        "scott_pi": 1 - Fraction(3, 10) / Fraction(495, 1000),
        "fleiss_kappa": 1 - Fraction(3, 10) / Fraction(495, 1000),
        "brennan_prediger": Fraction(2, 5),
        "gwet_ac1": 1 - Fraction(3, 10) / Fraction(505, 1000),
        "gwet_ac2": 1 - Fraction(3, 10) / Fraction(505, 1000),
        "krippendorff_alpha": 1 - Fraction(3, 10) * 99 * 100 / (2 * 55 * 45),
        "bangdiwala_b": Fraction(1, 2),
        "van_oest_ir2": 1 - Fraction(3, 10) / (2 * Fraction(56 * 46, 102**2)),
    },
    # 10 items; margins .3 .7 and .4 .6, pooled .35 .65
    "second": {
        "percent_agreement": Fraction(1, 2),
        "cohen_kappa": 1 - Fraction(1, 2) / Fraction(46, 100),
        "mean_pairwise_cohen_kappa": 1 - Fraction(1, 2) / Fraction(46, 100),
        "conger_kappa": 1 - Fraction(1, 2) / Fraction(46, 100),
        "davies_fleiss_kappa": 1 - Fraction(1, 2) / Fraction(46, 100),
        "hubert_kappa": 1 - Fraction(1, 2) / Fraction(46, 100),
        "scott_pi": 1 - Fraction(1, 2) / Fraction(455, 1000),
        "fleiss_kappa": 1 - Fraction(1, 2) / Fraction(455, 1000),
        "brennan_prediger": Fraction(0),
        "gwet_ac1": 1 - Fraction(1, 2) / Fraction(545, 1000),
        "gwet_ac2": 1 - Fraction(1, 2) / Fraction(545, 1000),
        "krippendorff_alpha": 1 - Fraction(1, 2) * 19 * 20 / (2 * 7 * 13),
        "bangdiwala_b": Fraction(1 + 16, 3 * 4 + 7 * 6),
        "van_oest_ir2": 1 - Fraction(1, 2) / (2 * Fraction(8 * 14, 22**2)),
    },
}


@pytest.mark.parametrize("name", OF_LABELS)
def test_l1_the_table_of_the_notes(name: str) -> None:
    """20 5 / 10 15, to four places, as each row of the catalogue says."""
    found = getattr(iaa, name)(FIRST, interval=None).estimate.values
    np.testing.assert_allclose(found, CATALOG[name].example, atol=0.5001e-4)


@pytest.mark.parametrize("table", BY_HAND)
def test_l1_by_hand(table: str) -> None:
    """S, alpha and kappa are all .4 on the first table; the second tells them apart."""
    ratings = {"first": FIRST, "second": SECOND}[table]
    wanted = BY_HAND[table]
    assert set(wanted) <= set(OF_LABELS)
    found = iaa.agreement(ratings, list(wanted), interval=None)
    for name, figure in wanted.items():
        np.testing.assert_allclose(
            found.estimate.sel(coefficient=name), float(figure), atol=1e-14, err_msg=name
        )


def test_l1_parts_of_kappa() -> None:
    kappa, pi = (getattr(iaa, name)(SECOND, interval=None) for name in ("cohen_kappa", "scott_pi"))
    assert [round(x.item(), 4) for x in (kappa.estimate, pi.estimate)] == [-0.087, -0.0989]
    assert [round(x.item(), 3) for x in (kappa.expected, pi.expected)] == [0.54, 0.545]
    first = iaa.cohen_kappa(FIRST, interval=None)
    assert [round(first[x].item(), 12) for x in ("observed", "expected", "estimate")] == [
        0.7,
        0.5,
        0.4,
    ]
    specific = iaa.specific_agreement(SECOND, interval=None).estimate
    np.testing.assert_allclose(specific, [2 / 7, 8 / 13], atol=1e-14)


@pytest.mark.parametrize(("ratings", "n"), [(FIRST, 100), (SECOND, 20)])
def test_l3_alpha_is_pi_with_a_small_sample_term(ratings, n: int) -> None:
    """alpha = 1 - (1 - pi) (1 - 1 / N) for N ratings, and so not kappa."""
    alpha = iaa.krippendorff_alpha(ratings, interval=None).estimate.item()
    pi = iaa.scott_pi(ratings, interval=None).estimate.item()
    assert alpha == pytest.approx(1 - (1 - pi) * (1 - 1 / n), abs=1e-14)
    assert round(alpha, 4) == {100: 0.4, 20: -0.044}[n]


def test_l3_alpha_takes_gaps_and_any_level() -> None:
    gaps = iaa.from_wide([[1, 2, None], [2, 2, 3], [4, None, 4], [1, 1, 1], [5, 4, None]])
    figures = {
        level: iaa.krippendorff_alpha(gaps, level=level, interval=None).estimate.item()
        for level in ("nominal", "ordinal", "interval", "ratio")
    }
    assert len({round(figure, 6) for figure in figures.values()}) == 4
    assert all(0 < figure < 1 for figure in figures.values())
