"""docs/architecture.md names what exists, and no files import one another in a circle."""

from __future__ import annotations

import ast
import re
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from iaa_jax.analyses import ANALYSES, Analysis

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
QUOTED = sorted(set(re.findall(r"`([^`\s]+)`", re.sub(r"```.*?```", "", TEXT, flags=re.DOTALL))))
NAMES = [name for name in QUOTED if re.fullmatch(r"iaa_jax(\.\w+)+", name)]
PATHS = [
    name for name in QUOTED if re.fullmatch(r"\.?[\w-]+/[\w./-]*", name) and "NAME" not in name
]


def resolved(name: str) -> Any:
    """What a dotted name stands for: a module, or what it holds."""
    parts = name.split(".")
    known: Any = import_module(parts[0])
    for k, part in enumerate(parts[1:], 2):
        module = ".".join(parts[:k])
        is_module = hasattr(known, "__path__") and find_spec(module) is not None
        known = import_module(module) if is_module else getattr(known, part)
    return known


def test_the_names_exist() -> None:
    for name in NAMES:
        if name != "iaa_jax.readers":  # a group of entry points
            assert resolved(name) is not None, name


def test_the_paths_exist() -> None:
    assert [path for path in PATHS if not (ROOT / path).exists()] == []


def test_every_folder_is_on_the_map() -> None:
    folders = {path.parent.name for path in (ROOT / "iaa_jax").glob("*/__init__.py")}
    assert {name for name in folders if f"`iaa_jax/{name}/`" not in TEXT} == set()
    assert len(NAMES) > 30


def test_what_is_made_of_ratings_is_told_where_it_is_computed() -> None:
    """Ratings and tables are made of others (`other`), or of the options of a call."""
    unsaid = set()
    for path in sorted((ROOT / "iaa_jax").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called, given = ast.unparse(node.func), [*node.args, *node.keywords]
            made = called in ("PatternTable", "Rated", "Rated.of")
            if made and "computing" not in " ".join(map(ast.unparse, given)):
                unsaid.add((path.name, called))
            if called in ("scope", "precision.scope"):  # that of JAX, without a device
                unsaid.add((path.name, called))
    # clusters are numbered there, and nothing is computed
    assert unsaid == {("computing.py", "precision.scope"), ("clusters.py", "Rated")}


def imports(text: str, *, types: bool = False) -> dict[str, int]:
    """What a file imports anywhere, functions included, and the line; names with their modules.

    What is imported for annotations alone is never loaded: it counts with ``types``, and where its
    name is in ``__all__``, since a package that lists it there loads it when it is first used.
    """
    tree = ast.parse(text)
    nodes = list(ast.walk(tree))
    for_types = {
        node
        for branch in nodes
        if isinstance(branch, ast.If) and ast.unparse(branch.test) == "TYPE_CHECKING"
        for statement in branch.body
        for node in ast.walk(statement)
    }
    listed = {
        name.value
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        for name in ast.walk(node.value)
        if isinstance(name, ast.Constant)
    }
    found: dict[str, int] = {}
    for node in nodes:
        if isinstance(node, ast.ImportFrom | ast.Import):
            folder = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            for alias in node.names:
                if types or node not in for_types or (alias.asname or alias.name) in listed:
                    found.setdefault(folder + alias.name, node.lineno)
    return found


def test_imports_in_functions_count_and_those_for_annotations_do_not() -> None:
    text = """
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from a import Shown, listed

__all__ = ["listed"]

def f():
    import b
    from c.d import e as g
"""
    known = {"typing.TYPE_CHECKING": 2, "a.listed": 5, "b": 10, "c.d.e": 11}
    assert imports(text) == known
    assert imports(text, types=True) == known | {"a.Shown": 5}


def test_no_files_import_one_another_in_a_circle() -> None:
    files = {}
    for path in (ROOT / "iaa_jax").rglob("*.py"):
        *folders, last = path.relative_to(ROOT).with_suffix("").parts
        files[".".join([*folders, last] if last != "__init__" else folders)] = path
    lines: dict[str, dict[str, int]] = {}
    for file, path in files.items():
        lines[file] = {}
        for name, line in imports(path.read_text(encoding="utf-8"), types=True).items():
            module = name if name in files else name.rpartition(".")[0]
            if module in files and module != file:
                lines[file].setdefault(module, line)
    try:
        TopologicalSorter(lines).prepare()
    except CycleError as error:
        circle = error.args[1][::-1]
        steps = [
            f"{files[file].relative_to(ROOT)}:{lines[file][module]} imports {module}"
            for file, module in pairwise(circle)
        ]
        pytest.fail("files import one another in a circle:\n" + "\n".join(steps))


def test_a_file_has_400_lines_at_most() -> None:
    package = ROOT / "iaa_jax"
    lines = {
        path.relative_to(package).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for path in package.rglob("*.py")
    }
    assert {file: count for file, count in lines.items() if count > 400} == {}


WITH_ARRAYS = {
    "measure/ratings/rated.py",  # ratings are opened
    "measure/results.py",  # and results made
    "analyses/compare/pairing.py",  # two sets of ratings become one
    "analyses/diagnose/repeats.py",
}
OF_PAGES = ("page", "command", "section", "words", "declared")


def uses_arrays(text: str) -> bool:
    """Whether a file calls on xarray, rather than only name its types in annotations."""
    nodes = list(ast.walk(ast.parse(text)))
    noted = [getattr(node, part, None) for node in nodes for part in ("annotation", "returns")]
    named = {each for note in noted if note is not None for each in ast.walk(note)}
    return any(isinstance(n, ast.Name) and n.id == "xr" for n in nodes if n not in named)


def test_a_study_sees_no_labelled_arrays() -> None:
    package = ROOT / "iaa_jax"
    files = [*package.glob("analyses/*/*.py"), *package.glob("measure/**/*.py")]
    known = {
        file.relative_to(package).as_posix()
        for file in files
        if not any(part in file.stem for part in OF_PAGES)
        and uses_arrays(file.read_text(encoding="utf-8"))
    }
    assert known == WITH_ARRAYS


@pytest.mark.parametrize(
    "row", [row for row in ANALYSES if row.commands], ids=lambda row: row.folder
)
def test_a_command_imports_no_function_that_users_call(row: Analysis) -> None:
    folder = f"iaa_jax.analyses.{row.folder}"
    public = {f"{folder}.{module}" for module in (*row.functions.values(), *row.namespace.values())}
    path = ROOT / "iaa_jax" / "analyses" / row.folder / "command.py"
    found = imports(path.read_text(encoding="utf-8"))
    # it calls them by their public names, as users do
    assert public.isdisjoint(name if name in public else name.rpartition(".")[0] for name in found)


def test_the_command_prints_what_the_page_says(folder: Path, iaa: Any) -> None:
    table = re.findall(r"```text\n(.*?)```", TEXT, flags=re.DOTALL)[0]
    (folder / "table.csv").write_text(table, encoding="utf-8")
    ((estimate, ends),) = re.findall(r"prints ([\d.]+) \((.*?)\)\.", TEXT)
    printed = iaa("agree", "table.csv", "--coefficients", "krippendorff_alpha").output
    assert re.search(rf"Krippendorff's alpha +{estimate} +{ends} ", printed)


def test_a_class_has_a_name_of_its_own() -> None:
    found: dict[str, list[str]] = {}
    for path in (ROOT / "iaa_jax").rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(str(path.relative_to(ROOT)))
    assert {name: places for name, places in found.items() if len(places) > 1} == {}
