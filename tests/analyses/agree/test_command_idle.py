"""Who rated nothing, on the command line."""

from __future__ import annotations

from pathlib import Path


def test_robustness_A12_an_empty_column_is_nobody_who_rates(iaa, folder: Path) -> None:
    rows = ["id,ann,bob,cy", "1,x,x,", "2,y,x,", "3,x,y,", "4,y,y,"]
    (folder / "table.csv").write_text("\n".join(rows))
    run = iaa("agree", "table.csv", "--annotators", "ann,bob,cy", "--interval", "none")
    assert "Annotators  2: ann, bob" in run.output
    assert "Left out    'cy', who answered nothing" in run.output
    assert "Cohen's kappa" in run.output
