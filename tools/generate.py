"""Write all files made from the catalogue and the rows of analyses: python tools/generate.py.

They are the lazy table of public names, the modules of namespaces, stubs with the signatures of all
functions, and the documentation pages that list coefficients and commands. All of them are
committed; ``--check`` reports files that are not up to date.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

import coefficients_page  # noqa: E402
import commands_page  # noqa: E402
import formats_table  # noqa: E402
import json_schema  # noqa: E402
import pictures  # noqa: E402
import stubs  # noqa: E402

from iaa_jax.analyses import ANALYSES, Analysis, function_of  # noqa: E402
from iaa_jax.catalog import CATALOG, NAMES  # noqa: E402

OF_PACKAGES: Mapping[str, tuple[str, ...]] = {
    "_errors": ("IaaError",),
    "data.build": ("from_long", "from_wide"),
    "data.build_counts": ("from_contingency", "from_counts"),
    "data.build_mass": ("from_mass",),
    "data.build_ranked": ("from_ranked",),
    "data.build_sets": ("from_sets", "from_values"),
    "data.schema": ("summary",),
    "io.reading_ratings": ("read",),
    "io.reading_long": ("read_long",),
    "scale.scanning": ("scan",),
    "scale.partitions": ("from_dask",),
    "io.reading_spans": ("read_spans",),
    "data.spans": ("from_spans",),
    "io.registry": ("formats",),
    "measure.agreement": ("agreement",),
    "measure.shared.agreement_by": ("agreement_by",),
    "measure.options.interval": ("Interval",),
    "measure.options.sampling": ("Sampling",),
    "analyses": ("page",),
    "overview.study": ("report",),
    "overview.plotting": ("plot",),
}
"""Public names that are neither coefficients nor part of an analysis, by module."""

SUBMODULES = ("data", "kernels")
"""Packages whose own names are public."""

WRITTEN = "# Written by tools/generate.py from the lists of coefficients and of analyses."


def modules() -> dict[str, str]:
    """Return the module of each public name."""
    table = {name: f"iaa_jax.{module}" for module, names in OF_PACKAGES.items() for name in names}
    coefficients = [name for name in NAMES if not CATALOG[NAMES[name]].within]
    # an analysis may know more about a coefficient than the common function
    of_analyses = {name: module for name, module in _analysis_modules().items() if "." not in name}
    return table | dict.fromkeys(coefficients, "iaa_jax.measure.functions") | of_analyses


def members() -> dict[str, dict[str, str]]:
    """Return the attributes of public functions, with the module of each."""
    table: dict[str, dict[str, str]] = {}
    for name, module in _analysis_modules().items():
        owner, _, member = name.partition(".")
        if member:
            table.setdefault(owner, {})[member] = module
    return table


def _analysis_modules() -> dict[str, str]:
    return {
        name: f"iaa_jax.analyses.{row.folder}.{module}"
        for row in ANALYSES
        for name, module in row.functions.items()
    }


def namespaces() -> list[Analysis]:
    """Return the rows whose further functions have a module of their own."""
    return [row for row in ANALYSES if row.namespace]


def names_module() -> str:
    """Return the lazy table, for `iaa_jax.__init__`."""
    table = "\n".join(f'    "{name}": "{module}",' for name, module in modules().items())
    submodules = sorted((*SUBMODULES, *(row.folder for row in namespaces())))
    listed = "\n".join(f'    "{name}",' for name in submodules)
    of_functions = "\n".join(
        f'    "{owner}": {{\n'
        + "".join(f'        "{member}": "{module}",\n' for member, module in table.items())
        + "    },"
        for owner, table in members().items()
    )
    return f'''{WRITTEN}
"""Public names with the module of each, and the attributes of functions."""

from __future__ import annotations

MODULES: dict[str, str] = {{
{table}
}}

MEMBERS: dict[str, dict[str, str]] = {{
{of_functions}
}}

SUBMODULES: tuple[str, ...] = (
{listed}
)
'''


def stub() -> str:
    """Return the public names for type checkers and editors, with every option of the functions."""
    head = f'{WRITTEN}\n"""The public names; `__init__.py` loads the same ones lazily."""\n'
    submodules = sorted((*SUBMODULES, *(row.folder for row in namespaces())))
    names = modules() | dict.fromkeys(submodules, "iaa_jax")
    return stubs.stub_module(head, names, members()) + "\n__version__: str\n"


def namespace_stub(row: Analysis) -> str:
    """Return the stub of a namespace."""
    question = docstring(ROOT / "iaa_jax" / "analyses" / row.folder / "__init__.py")
    head = f'{WRITTEN}\n"""{question}"""\n'
    names = {name: f"iaa_jax.analyses.{row.folder}.{at}" for name, at in row.namespace.items()}
    return stubs.stub_module(head, names)


def namespace_module(row: Analysis) -> str:
    """Return the further public functions of an analysis, as a module."""
    by_module: dict[str, list[str]] = {}
    for name, module in row.namespace.items():
        by_module.setdefault(module, []).append(name)
    imports = "".join(
        stubs.imported(f"iaa_jax.analyses.{row.folder}.{module}", sorted(names)) + "\n"
        for module, names in sorted(by_module.items())
    )
    public = ", ".join(f'"{name}"' for name in sorted(row.namespace))
    return f'''{WRITTEN}
"""{docstring(ROOT / "iaa_jax" / "analyses" / row.folder / "__init__.py")}"""

from __future__ import annotations

from typing import TYPE_CHECKING

from iaa_jax._lazy import on_first_use
{imports}
if not TYPE_CHECKING:
    __getattr__, __dir__ = on_first_use(__name__, {{}})

__all__ = [{public}]
'''


def commands() -> str:
    """Return the commands, for the documentation."""
    analyses = ROOT / "iaa_jax" / "analyses"
    questions = {row.folder: docstring(analyses / row.folder / "__init__.py") for row in ANALYSES}
    texts = {
        command: docstring(analyses / row.folder / "command.py", function_of(command)).partition(
            "\n\nExamples\n"
        )[0]
        for row in ANALYSES
        for command in row.commands
    }
    return commands_page.page(questions, texts)


def docstring(file: Path, function: str | None = None) -> str:
    """Return the docstring of a module, or of a function in it."""
    tree: ast.Module | ast.FunctionDef = ast.parse(file.read_text(encoding="utf-8"))
    if function is not None:
        tree = next(
            node
            for node in tree.body
            if isinstance(node, ast.FunctionDef) and node.name == function
        )
    return ast.get_docstring(tree) or ""


def files() -> Iterator[tuple[Path, str]]:
    """Yield every generated file, and its text."""
    package = ROOT / "iaa_jax"
    yield package / "_names.py", names_module()
    yield package / "__init__.pyi", stub()
    for row in namespaces():
        yield package / f"{row.folder}.py", namespace_module(row)
        yield package / f"{row.folder}.pyi", namespace_stub(row)
    yield ROOT / "docs" / "coefficients.md", coefficients_page.page()
    yield ROOT / "docs" / "commands.md", commands()
    yield ROOT / "docs" / "schema" / json_schema.FILE, json_schema.text()
    yield ROOT / "docs" / "gallery.md", pictures.page()
    page = ROOT / "docs" / "formats.md"
    yield page, formats_table.with_table(page.read_text(encoding="utf-8"))


def main() -> int:
    """Write everything, or report files that are not up to date."""
    check = "--check" in sys.argv[1:]
    stale = []
    for path, wanted in files():
        if path.exists() and path.read_text(encoding="utf-8") == wanted:
            continue
        stale.append(path.relative_to(ROOT))
        if not check:
            path.write_text(wanted, encoding="utf-8")
    for path in stale:
        print(f"{path} {'is not as tools/generate.py writes it' if check else 'is written'}")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
