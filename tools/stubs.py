"""Stubs of public functions: for editors and type checkers, with the shared options in full."""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from iaa_jax.measure.declared import groups_of

LINE = 100
"""Characters of a line."""


def stub_module(head: str, names: Mapping[str, str]) -> str:
    """A stub of names, by their modules: functions that share options are written out."""
    imports = Imports()
    definitions = []
    for name, module in names.items():
        public = getattr(import_module(module), name, None)
        if hasattr(public, "__wrapped__"):
            definitions.append(definition(name, public, imports))
        else:
            imports.add(module, name, public=True)
    return "\n".join([head, *imports.lines(), *definitions])


class Imports:
    """The imports of a stub, as the formatter sorts them."""

    def __init__(self) -> None:
        self.modules: dict[str, str] = {}
        self.names: dict[str, dict[str, str]] = {}

    def add(self, module: str, name: str, alias: str = "", *, public: bool = False) -> None:
        """A name of a module; a public one is exported again."""
        if not module:
            self.modules[name] = alias
            return
        names = self.names.setdefault(module, {})
        names[name] = name if public else names.get(name, alias)

    def lines(self) -> Iterator[str]:
        """The lines, by section: the standard library, other packages, and our own."""
        sections: dict[int, list[str]] = {}
        for module, alias in sorted(self.modules.items()):
            statement = f"import {module}" + (f" as {alias}" if alias != module else "")
            sections.setdefault(_section(module), []).append(statement)
        for module, names in sorted(self.names.items()):
            ordered = sorted(names.items(), key=lambda name: (not name[0][0].isupper(), name))
            aliased = [f"{name} as {alias}" if alias else name for name, alias in ordered]
            sections.setdefault(_section(module), []).append(imported(module, aliased))
        for _, statements in sorted(sections.items()):
            yield from statements
            yield ""


def imported(module: str, names: Iterable[str]) -> str:
    """An import as the formatter has it: in one line if it fits."""
    names = list(names)
    line = f"from {module} import {', '.join(names)}"
    several = "".join(f"    {name},\n" for name in names)
    return line if len(line) <= LINE else f"from {module} import (\n{several})"


def definition(name: str, function: Callable[..., Any], imports: Imports) -> str:
    """A function with every option and all of its documentation."""
    written = inspect.signature(inspect.unwrap(function))
    sources = dict.fromkeys(written.parameters, function.__module__)
    for selection in groups_of(written).values():
        sources |= dict.fromkeys(selection.names, selection.group.__module__)
    signature = inspect.signature(function)
    parts, keyword_only = [], False
    for parameter in signature.parameters.values():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not keyword_only:
            parts.append("*")
            keyword_only = True
        default = (
            "" if parameter.default is inspect.Parameter.empty else f" = {parameter.default!r}"
        )
        parts.append(f"{parameter.name}: {parameter.annotation}{default}".replace("'", '"'))
        _import_names(
            parameter.annotation, sources.get(parameter.name, function.__module__), imports
        )
    _import_names(signature.return_annotation, function.__module__, imports)
    listed = "".join(f"    {part},\n" for part in parts)
    text = inspect.getdoc(function) or ""
    text = "\n".join(f"    {line}".rstrip() for line in text.splitlines()).strip()
    closing = '\n    """' if "\n" in text else '"""'
    return f'def {name}(\n{listed}) -> {signature.return_annotation}:\n    """{text}{closing}\n'


def _import_names(annotation: str, source: str, imports: Imports) -> None:
    """Import what an annotation names, from where its module has it."""
    module = sys.modules[source]
    for node in ast.walk(ast.parse(annotation, mode="eval")):
        if isinstance(node, ast.Name) and not hasattr(builtins, node.id):
            imports.add(*_origin(node.id, module))


def _origin(name: str, module: ModuleType) -> tuple[str, str, str]:
    """The module, the name there, and the alias here of a name in a module."""
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    if isinstance(node, ast.Import):
                        return "", alias.name, name
                    return str(node.module), alias.name, alias.asname or ""
    return module.__name__, name, ""


def _section(module: str) -> int:
    """The standard library, then other packages, then our own."""
    top = module.partition(".")[0]
    return 0 if top in sys.stdlib_module_names else 1 + (top == "iaa_jax")
