"""BORIS: aggregated and tabular events as spans with times."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from iaa_jax import IaaError, read_spans, span_f1, unitizing_alpha

EVENTS = Path(__file__).parents[1] / "samples" / "boris" / "synthetic_two_observers"
ABOVE = "Observation id\tpen 1\t\t\t\t\n\t\t\t\t\t\nTime offset (s)\t0.0\t\t\t\t\n\t\t\t\t\t\n"
HEAD = "Time\tTotal length\tSubject\tBehavior\tComment\tStatus\n"
ROWS = (
    "1.500\t60.0\tcow\tfeeds\t\tSTART\n2.250\t60.0\tcow\tcalls\t\tPOINT\n"
    "9.750\t60.0\tcow\tfeeds\t\tSTOP\n"
)


def tabular(folder: Path, rows: str = ROWS) -> Path:
    for who in ("ann", "bob"):
        (folder / f"{who}.tsv").write_text(ABOVE + HEAD + rows)
    return folder


def refused(path: Path) -> str:
    with pytest.raises(IaaError) as caught:
        read_spans(path)
    return str(caught.value).replace(f"{path}/", "")


def test_aggregated_events() -> None:
    spans = read_spans(EVENTS)
    assert spans.document.values.tolist() == ["pen 1", "pen 2"]
    assert spans.annotator.values.tolist() == ["ann", "bob"]
    assert spans.start.values.tolist() == [10.5, 30.0, 40.125, 5.5, 10.5, 30.25, 40.125, 5.0]
    assert spans.length.values.tolist() == [60.0, 60.0]
    assert "items from 'Observation id', annotators from file names" in spans.attrs["read_as"]
    # 4 and 4 events, of which 2 are the same, with the same label
    assert float(span_f1(spans, interval=None).estimate) == pytest.approx(2 * 2 / (4 + 4))


def test_alpha_of_the_times_by_hand() -> None:
    """Each behavior and the gap, by the length at which the two observers have them."""
    spans = read_spans(EVENTS)
    values = {"feeds": (14.75 + 0, 14.75 + 4.75), "rests": (1.5 + 4.25, 1.25 + 0)}
    gap = [120 - sum(each[k] for each in values.values()) for k in (0, 1)]
    lengths = np.array([sum(each) for each in values.values()] + [sum(gap)])
    alike = np.array([14.75, 1.25, 120 - 14.75 - 1.5 - 4.75])
    observed = 1 - 2 * alike.sum() / lengths.sum()
    own = np.square([14.75, 1.5, 4.25, 14.75, 1.25, 4.75]).sum()
    expected = (lengths.sum() ** 2 - (lengths**2).sum()) / (lengths.sum() ** 2 - own)
    found = unitizing_alpha(spans, form="u", interval=None).estimate
    assert float(found) == pytest.approx(1 - observed / expected, abs=1e-12)


def test_tabular_events(tmp_path: Path) -> None:
    spans = read_spans(tabular(tmp_path))
    assert spans.document.values.tolist() == ["pen 1"]
    assert spans.start.values.tolist() == [1.5, 2.25, 1.5, 2.25]
    assert spans.end.values.tolist() == [9.75, 2.25, 9.75, 2.25]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (ROWS.rpartition("9.750")[0], "the behavior 'feeds' starts and never stops"),
        (ROWS + ROWS[-27:], "has 'STOP' here, where START or POINT is due"),
        (ROWS.replace("9.750", "soon"), "line 8: 'soon' is not a time in seconds"),
        (ROWS.replace("9.750", "0.750"), "a span from 1.5 to 0.75"),
        (ROWS + "1\t2\n", "line 9: 2 cells for 6 columns"),
    ],
)
def test_refused(tmp_path: Path, rows: str, said: str) -> None:
    assert said in refused(tabular(tmp_path, rows))
