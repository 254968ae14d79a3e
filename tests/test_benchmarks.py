"""The benchmarks: that they run, use names that exist, meet targets and keep a hard limit."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import json
import re
import subprocess
import sys
from pathlib import Path
from pkgutil import resolve_name
from types import ModuleType
from typing import Any

import numpy as np
import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture
def results(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(FOLDER))
    import results

    return results


@pytest.fixture
def writing(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(FOLDER))
    import writing

    return writing


def guarded(limit: int, *arguments: str) -> dict[str, Any]:
    guard = FOLDER / "children" / "guard.py"
    command = [sys.executable, str(guard), str(limit), *arguments]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


@pytest.mark.slow
def test_quick_run(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    options = ("--quick", "--only", "reading,points", "--json", str(file))
    done = subprocess.run(
        [sys.executable, str(FOLDER / "run.py"), *options],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    record = json.loads(file.read_text(encoding="utf-8"))
    assert [*record["groups"]] == ["reading", "points"]
    for lines in record["groups"].values():
        for line in lines:
            assert 0 < line["seconds"] < 60
            assert line["limit_seconds"] > 0
            assert line["ratio"] == pytest.approx(line["peer_seconds"] / line["seconds"])
            assert f"| {line['work']} |" in done.stdout


@pytest.mark.slow
def test_quick_run_of_exports(tmp_path: Path) -> None:
    """Memory of the modules counts, so that small files say nothing of the targets."""
    file = tmp_path / "figures.json"
    run = [sys.executable, str(FOLDER / "run.py"), "--quick", "--only", "exports"]
    subprocess.run([*run, "--json", str(file)], check=True, stdout=subprocess.DEVNULL)
    record = json.loads(file.read_text(encoding="utf-8"))
    for line in record["groups"]["exports"]:
        assert line["time"] == pytest.approx(line["seconds"] / line["peer_seconds"])
        assert line["memory"] == pytest.approx(line["peak"] / line["peer_peak"])
        assert line["progress"] > 1


@pytest.mark.slow
def test_more_ratings_than_memory_on_a_small_sample(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Few rows say nothing of rates, but all ways give the same digits."""
    monkeypatch.syspath_prepend(str(FOLDER))
    import scale

    plain, *others = scale._sample(tmp_path / "sample", 40_000)
    assert plain.same is plain.met is None
    assert [row.same for row in others] == [True, True, True]
    assert {row.rows for row in others} == {plain.rows}
    assert all(0 < row.limit_seconds < row.seconds for row in others)


def test_what_more_workers_would_cost_on_paper(monkeypatch: pytest.MonkeyPatch) -> None:
    """Worked out by hand: 2e6 ratings a second by two workers are 1e9 by a thousand."""
    monkeypatch.syspath_prepend(str(FOLDER))
    import scale

    found = {"rows": 10**7, "seconds": 5.0, "sent": 4 * 10**7, "items": 2 * 10**6, "partitions": 10}
    told = scale.on_paper({**found, "tally": 10**5, "patterns": 7}, found, 7 / 22 * 1e-3).text
    for part in (
        "200,000,000,000 items, in 1,000,000 partitions, on 1,000 workers",
        "Items whole: 0.3 hours and 8.00 TB sent, 8.00 GB each;",
        "100 KB (7 patterns), all of them 0.10 TB; the last step holds 9 of them, 0.9 MB.",
        "takes 0.32 ms a task, 0.3 hours,",
    ):
        assert part in told


@pytest.mark.slow
def test_exponents_and_their_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A power is found exactly, what is none has a residual; every call runs, at small sizes."""
    monkeypatch.syspath_prepend(str(FOLDER))
    import growth

    sizes = (10, 40, 300, 2000)
    power = tuple(3e-6 * size**1.5 for size in sizes)
    row = growth.Growth("work", "items", sizes, power, 0.0, None, "a law")
    assert row.cells()[6:8] == ("1.50", "0%")
    kinked = growth.Growth("work", "items", sizes, (*power[:3], 9.0), 0.0, (1, 2, 3, 4), "none")
    assert kinked.residual > 0.5
    small = growth.Size(60, 3, 3, 64)
    xla = growth.Compilations()
    rows = []
    for work in growth.WORKS:
        base = growth.Size(60, 120, 3) if work.base is growth.CROWD else small
        work = dataclasses.replace(work, base=base)
        for over in work.sizes:
            first = getattr(base, over)
            rows.append(growth._grown(work, over, (first, first + 1, first + 2), xla))
    assert len(rows) == len({(row.work, row.over) for row in rows})
    pictures = []
    for name in ("one.svg", "again.svg"):
        growth.draw([row, *rows], tmp_path / name)
        pictures.append((tmp_path / name).read_text(encoding="utf-8"))
    assert pictures[0] == pictures[1]
    assert all(work.name in pictures[0] for work in growth.WORKS)


def test_a_replicate_undefined_in_one_precision_is_a_difference(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "path", [str(FOLDER / "children"), str(FOLDER), *sys.path])
    from gpu_work import apart

    single, double = np.array([0.5, np.nan, np.nan]), np.array([0.25, 0.5, np.nan])
    for replicates, expected in (([0], 0.25), ([0, 2], 0.25), ([2], 0.0), ([0, 1], np.inf)):
        assert apart([single[replicates]], [double[replicates]]) == expected


@pytest.mark.slow
def test_quick_run_of_work_on_a_device(
    writing: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The CPU goes the way of a GPU."""
    import gpu

    _, intervals, two_way, fits = gpu.QUICK
    some = (intervals, two_way._replace(dtypes=("float32",)), fits)
    monkeypatch.setattr(gpu, "QUICK", some)
    rows = [*gpu.gpu(quick=True)]
    there = [row for row in rows if "draws itself" in row.device]
    assert (len(there), len(rows)) == (5, 9)
    assert 0 < there[1].apart < 1e-5
    for row in there:
        assert row.least > 0
        assert row.met is not None
    for row in rows:
        assert 0 <= row.drawing < row.seconds < 60
    assert len({row.count("|") for row in writing.table(rows).splitlines()}) == 1


def test_cells_without_a_gpu(writing: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """They say so; those of the host say what they follow from."""
    import gpu

    part = {"seconds": 20.0, "drawing": 15.0, "products": 5.0, "compiling": 0.5, "device": "cpu"}
    sizes = {"patterns": 300, "replicates": 64, "count": 128}
    asked = []

    def printed(child: str, *arguments: object) -> Any:
        asked.append((child, arguments[-1]))
        if arguments[-1] == "gpu":
            return {"unmeasured": "JAX finds no GPU here: install JAX for it"}
        return [part | sizes] * (2 if child == "gpu_fits.py" else 1)

    monkeypatch.setattr(gpu, "printed", printed)
    *rows, note = gpu.gpu(quick=False)
    assert len(asked) == 8
    there = [row for row in rows if row.target.seconds is not None]
    assert [row.dtype for row in there] == ["float64", "float32"] * 3 + ["float64"] * 2
    for row in there:
        assert row.cells()[4:8] == (*("unmeasured",) * 2, str(row.target), "unmeasured")
        assert (row.met, row.record()["seconds"]) == (None, None)
    here = next(row for row in rows if row not in there)
    assert here.cells()[3:9] == ("300", "about 20 s", "64 of 128", "-", "-", "15 s")
    assert note.text == "Not measured: JAX finds no GPU here."
    assert len({row.count("|") for row in writing.table(rows).splitlines()}) == 1
    measured = there[0].measured(**part, **sizes, least=2.0, peak=3 * 10**9)
    assert measured.cells()[-4:] == ("3.00 GB", "2 s", "10", "-")
    assert measured.met is False


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "options", "told"),
    [
        ("accuracy.py", ("--only", "bluebird"), "| bluebird | 108 x 39 x 2 | 4,212 | .759 |"),
        (
            "sharpening.py",
            ("--quick", "--only", "real,trial,starts"),
            "| .806 (.806) | .815 (.815)",
        ),
    ],
)
def test_tables_of_gold_labels(script: str, options: tuple[str, ...], told: str) -> None:
    """A small run of each; nothing is written."""
    run = [sys.executable, str(FOLDER / script), *options]
    done = subprocess.run(run, check=True, stdout=subprocess.PIPE, text=True)
    assert told in done.stdout
    assert "reference" not in done.stdout  # every figure is within its stated tolerance


def test_gold_labels_without_a_peer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))
    import labelling

    broken = tmp_path / "bin" / "python"
    broken.parent.mkdir()
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    found = [*labelling.labelling(True, tmp_path)]
    assert len(found) == 1
    assert "could not be installed" in found[0].text


def names_of(tree: ast.Module) -> dict[str, Any]:
    """What a script imports from the package, by the name it has there."""
    names: dict[str, Any] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            packages = [each for each in node.names if each.name.startswith("iaa_jax")]
            names |= {each.asname or each.name: resolve_name(each.name) for each in packages}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("iaa_jax"):
            for each in node.names:
                names[each.asname or each.name] = resolve_name(f"{node.module}.{each.name}")
    return names


@pytest.mark.parametrize("script", sorted(FOLDER.rglob("*.py")), ids=lambda file: file.stem)
def test_names_of_the_package_exist(script: Path) -> None:
    """Imports, attributes and keywords, without running: most scripts take long."""
    tree = ast.parse(script.read_text(encoding="utf-8"))
    names = names_of(tree)

    def value_of(node: ast.expr) -> Any:
        if isinstance(node, ast.Attribute):
            owner = value_of(node.value)
            return getattr(owner, node.attr) if isinstance(owner, ModuleType | type) else None
        return names.get(node.id) if isinstance(node, ast.Name) else None

    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            value_of(node)
        elif isinstance(node, ast.Call) and callable(function := value_of(node.func)):
            keywords = {each.arg: None for each in node.keywords if each.arg}
            inspect.signature(function).bind_partial(**keywords)


def test_unknown_group() -> None:
    done = subprocess.run(
        [sys.executable, str(FOLDER / "run.py"), "--only", "speed"],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert done.returncode == 2
    assert "there is no group 'speed'" in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_hard_limit() -> None:
    within = guarded(200 * 10**6, "-c", "held = bytearray(b'x') * 100_000_000")
    assert within["ended"] == ""
    assert 100 * 10**6 < within["peak"] < 200 * 10**6
    program = "import time; held = bytearray(b'x') * 300_000_000; time.sleep(30)"
    over = guarded(200 * 10**6, "-c", program)
    assert over["ended"] == "over its limit"
    assert over["seconds"] < 20


def test_peak_is_the_childs_own() -> None:
    held = bytearray(b"x") * 300_000_000
    assert guarded(200 * 10**6, "-c", "pass")["peak"] < 100 * 10**6
    assert len(held) == 300_000_000


def test_failure_is_told() -> None:
    assert "exit 1: " in guarded(10**9, "-c", "raise SystemExit('no such file')")["ended"]


@pytest.mark.parametrize(
    ("seconds", "target", "met"),
    [
        (1.0, {"ratio": 3}, False),
        (0.5, {"ratio": 3}, True),
        (3.1, {"ratio": 1 / 1.5}, False),
        (2.9, {"ratio": 1 / 1.5}, True),
        (0.002, {"seconds": 0.0015}, False),
        (0.001, {"seconds": 0.0015}, True),
        (1.0, {}, None),
    ],
)
def test_targets(
    results: ModuleType, seconds: float, target: dict[str, float], met: bool | None
) -> None:
    line = results.Line("work", seconds, "peer", 2.0, results.Target(**target))
    assert line.met is met


def test_a_command_is_held_to_the_time_of_an_import(results: ModuleType) -> None:
    def met(seconds: float, imports: float | None) -> bool:
        return results.Guarded("work", seconds, 5, 6, None, "", imports, 5).met

    assert met(4.9, 1.0)
    assert not met(5.1, 1.0)
    assert met(5.1, None)


@pytest.mark.slow
def test_compile_time_of_a_coefficient() -> None:
    run = [sys.executable, str(FOLDER / "children" / "compile_each.py"), "1"]
    (found,) = json.loads(subprocess.run(run, check=True, stdout=subprocess.PIPE).stdout)
    assert found["work"] == "percent_agreement"
    assert found["programs"] > 0
    assert 0 < found["later"] < found["xla"] < found["first"]


def test_tables_and_their_places(results: ModuleType, writing: ModuleType) -> None:
    line = results.Line("work", 0.5, "peer", 2.0, results.Target(3), "limit", 0.25)
    made = writing.table([line, results.Note("A sentence.")]).split("\n")
    assert made[2] == "| work | 500 ms | peer | 2 s | 4 | 3 or more | yes | limit | 250 ms | 2 |"
    assert made[-1] == "A sentence."
    assert {row.count("|") for row in made[:3]} == {11}
    text = "before <!-- begin a -->old<!-- end a --> after"
    found = writing.rewritten(text, {"a": "new"})
    assert found == "before <!-- begin a -->\nnew\n<!-- end a --> after"
    assert writing.rewritten(found, {"a": "new"}) == found
    with pytest.raises(ValueError, match="no place for b"):
        writing.rewritten(text, {"b": "new"})


def test_readme_has_a_place_for_each_group() -> None:
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    run = (FOLDER / "run.py").read_text(encoding="utf-8")
    names = re.findall(r'^    "(\w+)": "', run, re.MULTILINE)
    assert {"reading", "points", "replicates", "memory"} < set(names)
    assert all((FOLDER / f"{name}.py").is_file() for name in names)
    for name in ("machine", *names):
        assert text.count(f"<!-- begin {name} -->") == text.count(f"<!-- end {name} -->") == 1
