"""The guard of ratios: what passes, what fails, what is measured again, and how history is read."""

from __future__ import annotations

import datetime
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"
FAST, SLOW = "alpha, fast", "alpha, slow"
HISTORY = f"""date,commit,work,ratio
2026-01-05,aaaaaaa,"{FAST}",40
2026-01-05,aaaaaaa,"{SLOW}",0.002
2026-02-01,bbbbbbb,"{FAST}",20
"""


@pytest.fixture
def guard(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(FOLDER))
    import guard

    return guard


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "guard.csv"
    made.write_text(HISTORY, encoding="utf-8")
    return made


class Told:
    """Made-up ratios, one a measurement; remembers what was asked for."""

    def __init__(self, **ratios: Sequence[float]) -> None:
        self.left = {FAST: list(ratios["fast"]), SLOW: list(ratios.get("slow", [0.002] * 5))}
        self.asked: list[list[str]] = []

    def __call__(self, works: Sequence[str]) -> dict[str, float]:
        self.asked.append([*works])
        return {work: self.left[work].pop(0) for work in works}


@pytest.mark.parametrize("ratio", [1000.0, 20.0, 10.0])
def test_better_as_good_and_exactly_half_pass(
    guard: ModuleType, file: Path, capsys: pytest.CaptureFixture[str], ratio: float
) -> None:
    told = Told(fast=[ratio])
    guard.check([FAST, SLOW], told, file)
    assert told.asked == [[FAST, SLOW]]
    assert f"| {FAST} | 20 | 10 | {ratio:.3g} | once | yes |" in capsys.readouterr().out


@pytest.mark.parametrize("ratio", [9.99, 0.0, float("nan")])
def test_worse_than_half_fails_by_name(
    guard: ModuleType, file: Path, capsys: pytest.CaptureFixture[str], ratio: float
) -> None:
    told = Told(fast=[ratio] * 3)
    with pytest.raises(SystemExit) as ended:
        guard.check([FAST, SLOW], told, file)
    assert f"in the best of 3: {FAST} ({ratio:.3g}, was 20). " in str(ended.value)
    assert SLOW not in str(ended.value)
    assert "| 3 times | **no** |" in capsys.readouterr().out
    assert told.asked == [[FAST, SLOW], [FAST], [FAST]]


def test_both_are_named(guard: ModuleType, file: Path) -> None:
    with pytest.raises(SystemExit, match=rf"{FAST} .*; {SLOW} \(0.0009, was 0.002\)"):
        guard.check([FAST, SLOW], Told(fast=[1] * 3, slow=[0.0009] * 3), file)


def test_the_best_of_several_counts(guard: ModuleType) -> None:
    least = {FAST: 20.0, SLOW: 0.002}
    told = Told(fast=[4, 11], slow=[0.001])
    rows = guard.compared([FAST, SLOW], least, told)
    assert [(row.ratio, row.tries, row.met) for row in rows] == [(11, 2, True), (0.001, 1, True)]
    assert told.asked == [[FAST, SLOW], [FAST]]
    rows = guard.compared([FAST], least, Told(fast=[4, 9, 2, 30]))  # a fourth is none too many
    assert [(row.ratio, row.tries, row.met) for row in rows] == [(9, 3, False)]
    rows = guard.compared([FAST], least, Told(fast=[float("nan"), 12]))
    assert [(row.ratio, row.tries, row.met) for row in rows] == [(12, 2, True)]


def test_absent_line_is_told_before_measuring(guard: ModuleType, file: Path) -> None:
    told = Told(fast=[20])
    with pytest.raises(SystemExit, match=r"no ratio of: beta\. .*guard\.py --renew"):
        guard.check([FAST, "beta"], told, file)
    assert told.asked == []


def test_the_last_row_of_a_line_is_the_committed_one(guard: ModuleType, file: Path) -> None:
    rows = guard.history(file)
    assert rows[0] == (datetime.date(2026, 1, 5), "aaaaaaa", FAST, 40.0)
    assert guard.committed(rows) == {FAST: 20.0, SLOW: 0.002}


@pytest.mark.parametrize("ratio", ["0", "-3", "nan", "inf", "", "20x"])
def test_a_ratio_that_all_would_pass_is_refused(guard: ModuleType, file: Path, ratio: str) -> None:
    with file.open("a", encoding="utf-8") as text:
        text.write(f'2026-02-02,ccccccc,"{FAST}",{ratio}\n')
    with pytest.raises(ValueError, match=r"is no ratio|could not convert"):
        guard.history(file)


def test_renewing_adds_the_medians(
    guard: ModuleType, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Done:
        stdout = "ccccccc\n"

    monkeypatch.setattr(guard.subprocess, "run", lambda *_, **__: Done)
    guard.renew([FAST, SLOW], Told(fast=[9, 1, 1000, 7.12345, 2]), file)
    assert file.read_text(encoding="utf-8").startswith(HISTORY)
    rows = guard.history(file)[3:]
    today = datetime.date.today()
    assert rows == [(today, "ccccccc", FAST, 7.123), (today, "ccccccc", SLOW, 0.002)]
    fresh = file.with_name("fresh.csv")
    guard.renew([FAST], Told(fast=[1] * 5), fresh)
    assert fresh.read_text(encoding="utf-8").startswith("date,commit,work,ratio\n")
    assert guard.committed(guard.history(fresh)) == {FAST: 1.0}


def test_picture(guard: ModuleType, file: Path) -> None:
    pictures = [file.with_name(name) for name in ("one.svg", "same.svg")]
    for picture in pictures:
        guard.draw(guard.history(file), picture)
    first, second = (picture.read_text(encoding="utf-8") for picture in pictures)
    assert first == second
    assert first.count(FAST) == first.count(SLOW) == 1


@pytest.fixture
def group(guard: ModuleType, monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """A group of sleeps: what is in the mapping is how long ours takes, changed by a test."""
    from results import Line
    from timing import in_turn

    ours = {FAST: 0.002, SLOW: 0.002}

    def sleeps(quick: bool):
        assert quick
        for work in (FAST, SLOW, "never reached"):
            taken = in_turn(3, lambda work=work: time.sleep(ours[work]), lambda: time.sleep(0.02))
            yield Line(work, taken[0], "sleeping longer", taken[1])

    module = ModuleType("sleeps")
    module.sleeps = sleeps
    monkeypatch.setitem(sys.modules, "sleeps", module)
    monkeypatch.setattr(guard, "LINES", {"sleeps": (FAST, SLOW)})
    return ours


def test_a_function_made_slow_fails(guard: ModuleType, file: Path, group: dict[str, float]) -> None:
    file.write_text(HISTORY.replace(",20", ",10").replace("0.002", "10"), encoding="utf-8")
    guard.check([FAST, SLOW], guard.measured, file)
    group[SLOW] = 0.02
    with pytest.raises(SystemExit, match=f"best of 3: {SLOW}") as ended:
        guard.check([FAST, SLOW], guard.measured, file)
    assert FAST not in str(ended.value)


def test_a_line_that_no_group_has(
    guard: ModuleType, group: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    group["never reached"] = 0.0
    monkeypatch.setattr(guard, "LINES", {"sleeps": (FAST, "renamed")})
    with pytest.raises(ValueError, match=r"sleeps\.py measures no line \['renamed'\]"):
        guard.measured([FAST, "renamed"])


def test_a_real_line(guard: ModuleType) -> None:
    (work,) = guard.LINES["reading"]
    assert [*guard.measured([work])] == [work]


def test_every_line_is_committed(guard: ModuleType) -> None:
    works = [work for lines in guard.LINES.values() for work in lines]
    assert set(works) <= set(guard.committed(guard.history(guard.FILE)))
    assert guard.PICTURE.is_file()
