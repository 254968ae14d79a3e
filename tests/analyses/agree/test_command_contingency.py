"""What stands behind a kappa, as ``iaa agree`` prints it unasked."""

from __future__ import annotations

import json

import pytest

FAST = ("--replicates", "50")


def test_g8_the_bundle_stands_in_the_default_report(iaa, folder) -> None:
    cells = {("p", "p"): 20, ("p", "n"): 5, ("n", "p"): 10, ("n", "n"): 15}
    rows = [pair for pair, times in cells.items() for _ in range(times)]
    text = "".join(f"{place},{a},{b}\n" for place, (a, b) in enumerate(rows))
    (folder / "two.csv").write_text(f"item,a,b\n{text}")
    flat = " ".join(iaa("agree", "two.csv", "--labels", "p,n", *FAST).stdout.split())
    for said in (
        "Prevalence index 0.100",
        "Bias index -0.100",
        "McNemar, p = 0.302",
        "Largest kappa 0.800",
        "PABAK 0.400",
        "Scott's pi 0.394",
    ):
        assert said in flat
    found = json.loads(iaa("agree", "two.csv", "--labels", "p,n", *FAST, "--json", "-").stdout)
    bundle = found["contingency"]
    assert bundle["prevalence_index"] == pytest.approx(0.1)
    assert bundle["kappa_max"] == pytest.approx(0.8)
    alone = json.loads(iaa("agree", "two.csv", "--coefficients", "gwet_ac1", "--json", "-").stdout)
    assert "contingency" not in alone


def test_p7_a_high_ac1_beside_no_agreement_on_a_label_is_said(iaa, folder) -> None:
    text = "".join(f"{n},{'yes' if n < 10 else 'no'},no\n" for n in range(1000))
    (folder / "rare.csv").write_text(f"item,a,b\n{text}")
    flat = " ".join(iaa("agree", "rare.csv", *FAST).stdout.split())
    assert "Gwet's AC1 (0.990) are high although specific agreement on label 'yes' is 0.000" in flat


def test_margins_that_differ_are_counted(iaa, folder) -> None:
    rows = [("x", "x", "y")] * 30 + [("y", "y", "y")] * 30 + [("x", "y", "y")] * 2
    text = "".join(f"{n},{','.join(row)}\n" for n, row in enumerate(rows))
    (folder / "margins.csv").write_text(f"item,a,b,c\n{text}")
    flat = " ".join(iaa("agree", "margins.csv", *FAST).stdout.split())
    assert "In 2 of 3 pairs the two annotators use labels at different rates" in flat
