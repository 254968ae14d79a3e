"""The public names: one table, its stub, what loads when, and one grammar of signatures."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
import subprocess
import sys
import traceback
from collections.abc import Callable
from importlib import import_module, metadata
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

import iaa_jax
from iaa_jax._names import MEMBERS, MODULES, SUBMODULES
from iaa_jax.catalog import CATALOG, LEVELS, NAMES
from iaa_jax.data.duplicates import DUPLICATES
from iaa_jax.measure import IntervalOptions
from iaa_jax.pages.records import record_of

STUB = Path(iaa_jax.__file__).with_suffix(".pyi")

COEFFICIENT_KEYWORDS = (
    "weights",
    "weights_on",
    "level",
    "distance",
    "p",
    "interval",
    "sampling",
    "confidence",
    "replicates",
    "seed",
    "undefined",
    "dtype",
    "device",
)


def loaded_after(code: str) -> set[str]:
    """Modules that a fresh process has loaded after running the code."""
    report = "import sys; print('\\n'.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import iaa_jax", {"jax", "xarray", "numpy", "pandas", "scipy", "rich", "typer"}),
        ("from iaa_jax import IaaError", {"jax", "xarray", "numpy", "pandas", "scipy"}),
        ("import iaa_jax.kernels", {"jax", "xarray", "pandas"}),
        ("import iaa_jax; iaa_jax.kernels.fleiss_kappa", {"jax", "xarray", "pandas"}),
        (
            "import numpy; from iaa_jax import kernels; kernels.fleiss_kappa(numpy.eye(3)[None])",
            {"jax", "scipy", "unittest"},  # NumPy's wrapper of array-api-compat loads the last
        ),
        ("import iaa_jax.catalog", {"jax", "xarray", "pandas"}),
        ("import iaa_jax; iaa_jax.from_wide([['a', 'a'], ['a', 'b']])", {"jax"}),
        # what spans alone need takes as long to load as all else of this
        ("import iaa_jax.measure.agreement", {"jax", "scipy.linalg", "scipy.optimize"}),
    ],
)
def test_what_stays_unloaded(code: str, absent: set[str]) -> None:
    assert loaded_after(code) & absent == set()


def test_help_loads_neither_jax_nor_xarray() -> None:
    code = (
        "import contextlib, io\n"
        "from iaa_jax.cli.app import main\n"
        "import sys; sys.argv = ['iaa', '--help']\n"
        "shown = io.StringIO()\n"
        "with contextlib.redirect_stdout(shown), contextlib.suppress(SystemExit):\n"
        "    main()\n"
        "assert 'agree' in shown.getvalue()"
    )
    assert loaded_after(code) & {"jax", "xarray", "numpy", "pandas", "scipy"} == set()


@pytest.mark.parametrize(
    ("module", "wrong", "meant"),
    [
        ("", "krippendorf_alpha", "krippendorff_alpha"),
        ("", "kappa", "cohen_kappa"),
        ("data", "keep_label", "keep_labels"),
        ("doubles", "pattern", "patterns"),
        ("io", "read_lon", "read_long"),
        ("kernels", "fleis_kappa", "fleiss_kappa"),
    ],
)
def test_a_misspelt_name_gets_its_near_one(module: str, wrong: str, meant: str) -> None:
    owner = import_module(f"iaa_jax.{module}".rstrip("."))
    message = f"no attribute '{wrong}'; did you mean '{meant}'"
    with pytest.raises(AttributeError, match=message) as caught:
        getattr(owner, wrong)
    # nothing of ours and of Python's together
    assert "".join(traceback.format_exception(caught.value)).count("id you mean") == 1
    assert not hasattr(owner, "np")


@pytest.mark.parametrize("module", ["", "io", *sorted(SUBMODULES)])
def test_what_is_listed_is_what_there_is(module: str) -> None:
    owner = import_module(f"iaa_jax.{module}".rstrip("."))
    assert dir(owner) == sorted({*owner.__all__}) == sorted(owner.__all__)
    assert all(getattr(owner, name) is not None for name in dir(owner))


def test_each_coefficient_of_the_catalogue_is_public() -> None:
    """As a function, or by a call of one."""
    named = {name for name, module in MODULES.items() if module == "iaa_jax.measure.functions"}
    of_their_own = {name for name, row in NAMES.items() if not CATALOG[row].within}
    assert named <= of_their_own <= set(MODULES)
    for name in set(NAMES) - of_their_own:
        assert CATALOG[NAMES[name]].within.partition("(")[0] in of_their_own


def test_what_belongs_to_a_function_is_an_attribute_of_it() -> None:
    for name, members in MEMBERS.items():
        for member in members:
            assert inspect.isfunction(getattr(getattr(iaa_jax, name), member))


def reachable() -> dict[str, Callable[..., Any]]:
    """Functions and classes that are found by name, but kernels and errors."""
    found: dict[str, Callable[..., Any]] = {}
    for name in set(iaa_jax.__all__) - {"kernels", "IaaError", "__version__"}:
        public = getattr(iaa_jax, name)
        parts = vars(public) if inspect.isfunction(public) else {}
        if inspect.ismodule(public):
            parts = {part: getattr(public, part) for part in public.__all__}
        else:
            found[name] = public
        for part, value in parts.items():
            if callable(value) and not part.startswith("_"):
                found[f"{name}.{part}"] = value
    return found


def test_the_surface_is_small_enough_to_know() -> None:
    """No name stands in two places, and options of one meaning have one name."""
    functions = reachable()
    assert len(functions) == len({id(each) for each in functions.values()}) <= 117
    keywords = {
        option.name
        for function in functions.values()
        for option in inspect.signature(function).parameters.values()
        if option.kind is inspect.Parameter.KEYWORD_ONLY
    }
    assert len(keywords) <= 140


def test_the_usual_number_of_replicates_has_one_source() -> None:
    functions = reachable().items()
    options = {
        name: inspect.signature(each).parameters.get("replicates") for name, each in functions
    }
    usual = {name: one.default for name, one in options.items() if one is not None}
    # where replicates cost more than usual, or are fitted to what they cost
    others = {"plan": 500, "labels.merges": 1000, "panels": None, "gold": None}
    assert usual == dict.fromkeys(usual, IntervalOptions.replicates) | others


Keys = list[tuple[str, str]]


def in_stub(file: Path) -> tuple[dict[str, str], dict[str, ast.FunctionDef], dict[str, Keys]]:
    """What a stub exports again, by module, its functions, and the options that these share."""
    exported: dict[str, str] = {}
    functions: dict[str, ast.FunctionDef] = {}
    shared: dict[str, Keys] = {}
    protocols: dict[str, dict[str, ast.FunctionDef]] = {}
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            public = (alias.name for alias in node.names if alias.asname == alias.name)
            exported |= dict.fromkeys(public, str(node.module))
        elif isinstance(node, ast.FunctionDef):
            functions[node.name] = node
        elif isinstance(node, ast.ClassDef) and ast.unparse(node.bases[0]) == "Protocol":
            methods = [each for each in node.body if isinstance(each, ast.FunctionDef)]
            protocols[node.name] = {method.name: _without_self(method) for method in methods}
        elif isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) in protocols:
            for method, written in protocols[ast.unparse(node.annotation)].items():
                owner = ast.unparse(node.target)
                functions[owner if method == "__call__" else f"{owner}.{method}"] = written
        elif isinstance(node, ast.ClassDef):
            shared[f"Unpack[{node.name}]"] = [
                (ast.unparse(key.target), ast.unparse(key.annotation))
                for key in node.body
                if isinstance(key, ast.AnnAssign)
            ]
    return exported, functions, shared


def literals_in(file: Path) -> dict[str, tuple[str, ...]]:
    """The types of a stub that are fixed texts."""
    return {
        ast.unparse(node.target): tuple(map(ast.literal_eval, node.value.slice.elts))  # type: ignore[attr-defined]
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias"
    }


def _without_self(method: ast.FunctionDef) -> ast.FunctionDef:
    assert method.args.args.pop(0).arg == "self"
    return method


EXPORTED, WRITTEN_OUT, SHARED = in_stub(STUB)
LITERALS = literals_in(STUB)
IN_FULL = {name: attrgetter(name)(iaa_jax) for name in WRITTEN_OUT}
_, OF_DOUBLES, SHARED_BY_DOUBLES = in_stub(STUB.with_name("doubles.pyi"))
SHARED |= SHARED_BY_DOUBLES
for name, node in OF_DOUBLES.items():
    WRITTEN_OUT[f"doubles.{name}"] = node
    IN_FULL[f"doubles.{name}"] = getattr(iaa_jax.doubles, name)


def test_the_stub_says_the_same() -> None:
    expected = {**MODULES, **dict.fromkeys(SUBMODULES, "iaa_jax")}
    assert {name: expected[name] for name in expected if name not in WRITTEN_OUT} == EXPORTED
    assert {name for name in WRITTEN_OUT if "." not in name} <= set(expected)
    assert {name for name in NAMES if name in MODULES} <= set(WRITTEN_OUT)
    of_functions = {f"{name}.{each}" for name, others in MEMBERS.items() for each in others}
    assert of_functions == {name for name in WRITTEN_OUT if "." in name} - {
        f"doubles.{name}" for name in OF_DOUBLES
    }


@pytest.mark.parametrize("name", WRITTEN_OUT)
def test_an_editor_shows_the_parameters_of_a_call(name: str) -> None:
    written = WRITTEN_OUT[name].args
    shared: Keys = []
    if written.kwarg is not None:
        shared = SHARED[ast.unparse(written.kwarg.annotation)]
        assert len(dict(shared)) == len(shared)
    defaults = [*written.defaults, *written.kw_defaults]
    listed = [*written.args, *written.kwonlyargs]
    defaults = [None] * (len(listed) - len(defaults)) + defaults
    own = [
        (argument.arg, ast.unparse(argument.annotation), default and ast.literal_eval(default))
        for argument, default in zip(listed, defaults, strict=True)
    ]
    parameters = inspect.signature(IN_FULL[name]).parameters.values()
    empty = inspect.Parameter.empty
    expected = [
        (
            one.name,
            ast.unparse(ast.parse(one.annotation)),
            None if one.default is empty else one.default,
        )
        for one in parameters
    ]
    keys = dict(shared)
    plain = re.compile("|".join(rf"{re.escape(name)}\b" for name in LITERALS))
    shared = [(key, plain.sub("str", annotation)) for key, annotation in shared]
    assert own == [each for each in expected if each[0] not in keys]
    assert shared == [each[:2] for each in expected if each[0] in keys]
    by_name = {one.name for one in parameters if one.kind is inspect.Parameter.KEYWORD_ONLY}
    assert by_name == {argument.arg for argument in written.kwonlyargs} | keys.keys()
    assert ast.get_docstring(WRITTEN_OUT[name])


def test_a_result_says_how_it_is_seen() -> None:
    """In its repr, which leaves out the middle of many attributes; records do not repeat it."""
    ratings = iaa_jax.from_wide([["a", "a"]] * 12 + [["a", "b"]] * 4 + [["b", "b"]] * 9)
    for result in (iaa_jax.agreement(ratings, interval=None), iaa_jax.items(ratings)):
        (line,) = (line for line in repr(result).splitlines() if "see:" in line)
        shown = eval(line.partition(":")[2], {"iaa": iaa_jax, "result": result})
        assert str(shown) == str(iaa_jax.page(result))
        assert "see" not in record_of(iaa_jax.page(result))["provenance"]


def test_types_of_options_hold_the_names_that_these_take() -> None:
    ratings = iaa_jax.from_wide([["a", "a"], ["a", "b"]])
    assert LITERALS["_Level"] == (*LEVELS,)
    assert LITERALS["_Duplicates"] == DUPLICATES
    assert {"_Interval", "_Undefined", "_Skipped", "_WeightsOn"} <= {*LITERALS}
    for option in ("interval", "undefined", "level", "weights_on"):
        with pytest.raises(iaa_jax.IaaError, match=option) as caught:
            iaa_jax.krippendorff_alpha(ratings, **{option: "bogus"})
        named = "_" + option.title().replace("_", "")
        assert all(name in str(caught.value) for name in LITERALS[named])


def test_every_option_is_documented() -> None:
    """And where figures are declared, no key in capitals is left in their place."""
    for name, function in IN_FULL.items():
        text = inspect.getdoc(function)
        documented = {
            option
            for line in text.partition("\nParameters\n")[2].partition("\n\n")[0].splitlines()
            if not line.startswith(" ")
            for option in line.partition(" : ")[0].split(", ")
        }
        assert documented >= set(inspect.signature(function).parameters), name
        assert not documented & {"options", "label_options"}, name
        assert not re.search(r"^\s*[A-Z_]{3,}\s*$", text, re.MULTILINE), name


def is_found_by_doctest(function: Callable[..., Any]) -> bool:
    """Whether it stands in a file under its own name: doctest does not look for made functions."""
    return vars(sys.modules[function.__module__]).get(function.__name__) is function


def test_every_function_has_an_example() -> None:
    assert [name for name, function in IN_FULL.items() if ">>> " not in function.__doc__] == []


@pytest.mark.parametrize(
    "name", [name for name, function in IN_FULL.items() if not is_found_by_doctest(function)]
)
def test_the_example_of_a_made_function_runs(name: str) -> None:
    flags = doctest.NORMALIZE_WHITESPACE
    example = doctest.DocTestParser().get_doctest(IN_FULL[name].__doc__, {}, name, None, 0)
    assert example.examples
    doctest.DebugRunner(optionflags=flags).run(example)


def test_calls_are_refused_by_the_name_of_the_function() -> None:
    with pytest.raises(
        TypeError, match=r"drift\(\) got an unexpected keyword argument 'intervall'"
    ):
        iaa_jax.drift(None, intervall=None)
    with pytest.raises(TypeError, match=r"agreement\(\) missing a required argument: 'ratings'"):
        iaa_jax.agreement()
    with pytest.raises(TypeError, match="unexpected keyword argument 'label_options'"):
        iaa_jax.agreement(None, label_options=None)


def test_the_version_is_that_of_the_installed_package() -> None:
    assert iaa_jax.__version__ == metadata.version("iaa_jax")


ALIKE = [name for name in NAMES if MODULES.get(name, "").endswith("measure.functions")]
"""Coefficients whose functions are made of their rows."""


def test_coefficients_share_their_keywords() -> None:
    assert ALIKE
    for name in ALIKE:
        function = getattr(iaa_jax, name)
        first, *others = inspect.signature(function).parameters.values()
        assert first.name == "ratings"
        assert {parameter.kind for parameter in others} == {inspect.Parameter.KEYWORD_ONLY}
        assert {parameter.name for parameter in others} >= set(COEFFICIENT_KEYWORDS), name
        assert function.__name__ == name


def test_public_functions_are_documented_and_explicit() -> None:
    for name in set(MODULES) - {"IaaError"}:
        function = getattr(iaa_jax, name)
        assert inspect.getdoc(function), name
        kinds = {parameter.kind for parameter in inspect.signature(function).parameters.values()}
        assert inspect.Parameter.VAR_KEYWORD not in kinds, name
