"""The benchmarks: that they run, use names that exist, meet targets and keep a hard limit."""

from __future__ import annotations

import ast
import inspect
import json
import re
import subprocess
import sys
from pathlib import Path
from pkgutil import resolve_name
from types import ModuleType
from typing import Any

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
