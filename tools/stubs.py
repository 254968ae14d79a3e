"""Stubs of public functions, for editors and type checkers.

A function has its own parameters, and its shared options as one typed dict, common to all functions
with the same options. The first line of its documentation is included.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

from iaa_jax.measure.options.declared import OneOf, Option, groups_of

LINE = 100
"""Maximum length of a line."""

NONE: Mapping[str, Mapping[str, str]] = MappingProxyType({})


def stub_module(
    head: str, names: Mapping[str, str], members: Mapping[str, Mapping[str, str]] = NONE
) -> str:
    """Return the stub of a module with these names; functions with shared options are written out.

    A function with other functions as its ``members`` becomes a callable object.
    """
    imports, shared = Imports(), SharedOptions()
    definitions = []
    for name, module in names.items():
        public = getattr(import_module(module), name, None)
        if name in members:
            imports.add("typing", "Protocol")
            of_function = {
                member: getattr(import_module(at), f"{name}_{member}")
                for member, at in members[name].items()
            }
            definitions.append(_with_members(name, public, of_function, imports, shared))
        elif hasattr(public, "__wrapped__"):
            definitions.append(definition(name, public, imports, shared))
        else:
            imports.add(module, name, public=True)
    written = [*shared.definitions(imports)]
    return "\n".join([head, *imports.lines(), *written, *definitions])


class SharedOptions:
    """The typed dicts of a stub: one for each set of shared options."""

    def __init__(self) -> None:
        self._users: dict[tuple[Option, ...], list[str]] = {}
        self._sources: dict[str, str] = {}

    def of(self, name: str, function: Callable[..., Any]) -> tuple[str, set[str]]:
        """Return the typed dict of a function, named after the first that has it, and its keys."""
        groups = groups_of(inspect.signature(inspect.unwrap(function))).values()
        options = tuple(option for selection in groups for option in selection.options)
        for selection in groups:
            self._sources |= dict.fromkeys(selection.names, selection.group.__module__)
        if not options:
            return "", set()
        self._users.setdefault(options, []).append(name)
        return _dict_name(self._users[options][0]), {option.name for option in options}

    def definitions(self, imports: Imports) -> Iterator[str]:
        """Return the typed dicts, by their first functions."""
        if self._users:
            imports.add("typing", "TypedDict")
            imports.add("typing", "Unpack")
        for name, values in self._fixed().items():
            imports.add("typing", "TypeAlias")
            imports.add("typing", "Literal")
            yield _literal(name, values)
        for options, users in self._users.items():
            others = f" and {len(users) - 1} more" if len(users) > 1 else ""
            yield f"class {_dict_name(users[0])}(TypedDict, total=False):"
            yield f'    """Options of `{users[0]}`{others}."""\n'
            for option in options:
                typed = _typed(option)
                _import_names(option.type, self._sources[option.name], imports)
                yield f"    {option.name}: {typed}"
            yield ""

    def _fixed(self) -> dict[str, tuple[str, ...]]:
        """Return types of options with a fixed set of names, with the names."""
        fixed: dict[str, tuple[str, ...]] = {}
        for option in (each for options in self._users for each in options):
            values = option.values
            if not (isinstance(values, OneOf) and _name_of_values(option)):
                continue
            if fixed.setdefault(_name_of_values(option), values.names) != values.names:
                raise ValueError(f"options called {option.name} take different names")
        return fixed


def _typed(option: Option) -> str:
    """Return the type of an option, with its names in place of any text."""
    name = _name_of_values(option)
    parts = option.type.split(" | ")
    return " | ".join(name if name and part == "str" else part for part in parts)


def _name_of_values(option: Option) -> str:
    """Return the name for the type of an option with fixed names; "" for others."""
    fixed = isinstance(option.values, OneOf) and "str" in option.type.split(" | ")
    return f"_{_camel(option.name)}" if fixed else ""


def _literal(name: str, values: Sequence[str]) -> str:
    listed = ", ".join(f'"{value}"' for value in values)
    line = f"{name}: TypeAlias = Literal[{listed}]"
    if len(line) > LINE:
        inside = listed if len(listed) + 4 <= LINE else listed.replace(", ", ",\n    ") + ","
        line = f"{name}: TypeAlias = Literal[\n    {inside}\n]"
    return f"{line}\n"


def _dict_name(function: str) -> str:
    return f"{_camel(function)}Options"


def _camel(name: str) -> str:
    return "".join(part.title() for part in name.split("_"))


class Imports:
    """The imports of a stub, sorted as the formatter does."""

    def __init__(self) -> None:
        self.modules: dict[str, str] = {}
        self.names: dict[str, dict[str, str]] = {}

    def add(self, module: str, name: str, alias: str = "", *, public: bool = False) -> None:
        """Add a name of a module; a public one is re-exported."""
        if not module:
            self.modules[name] = alias
            return
        names = self.names.setdefault(module, {})
        names[name] = name if public else names.get(name, alias)

    def lines(self) -> Iterator[str]:
        """Return the lines, by section: the standard library, other packages, our own."""
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
    """Return an import as the formatter writes it: in one line if it fits."""
    names = list(names)
    line = f"from {module} import {', '.join(names)}"
    several = "".join(f"    {name},\n" for name in names)
    return line if len(line) <= LINE else f"from {module} import (\n{several})"


def _with_members(
    name: str,
    function: Callable[..., Any],
    members: Mapping[str, Callable[..., Any]],
    imports: Imports,
    shared: SharedOptions,
) -> str:
    """Return a function with its members, as the methods of a protocol."""
    methods = [definition("__call__", function, imports, shared, called=name)]
    methods += [
        definition(member, other, imports, shared, called=f"{name}_{member}")
        for member, other in members.items()
    ]
    body = "\n".join(textwrap.indent(method, "    ") for method in methods)
    kind = f"_{_camel(name)}"
    return f"class {kind}(Protocol):\n{body}\n{name}: {kind}\n"


def definition(
    name: str,
    function: Callable[..., Any],
    imports: Imports,
    shared: SharedOptions,
    called: str = "",
) -> str:
    """Return a function with its parameters, its shared options, and its first line of text.

    With another name in ``called``, it is a method.
    """
    options, keys = shared.of(called or name, function)
    signature = inspect.signature(function)
    parts, keyword_only = ["self"] if called else [], False
    for parameter in signature.parameters.values():
        if parameter.name in keys:
            continue
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not keyword_only:
            parts.append("*")
            keyword_only = True
        default = (
            "" if parameter.default is inspect.Parameter.empty else f" = {parameter.default!r}"
        )
        parts.append(f"{parameter.name}: {parameter.annotation}{default}".replace("'", '"'))
        _import_names(parameter.annotation, function.__module__, imports)
    if options:
        parts.append(f"**options: Unpack[{options}]")
    _import_names(signature.return_annotation, function.__module__, imports)
    summary = (inspect.getdoc(function) or "").partition("\n\n")[0].replace("\n", " ")
    line = LINE - 4 if called else LINE
    head = _signature(name, parts, signature.return_annotation, line)
    return f'{head}\n    """{summary}"""\n'


def _signature(name: str, parts: list[str], result: str, width: int) -> str:
    """Return a signature as the formatter writes it, in one line or several."""
    listed = ", ".join(parts)
    line = f"def {name}({listed}) -> {result}:"
    if len(line) <= width:
        return line
    if len(listed) + 4 > width:
        listed = ",\n    ".join(parts) + ","
    return f"def {name}(\n    {listed}\n) -> {result}:"


def _import_names(annotation: str, source: str, imports: Imports) -> None:
    """Import what an annotation names, from the module's own source."""
    module = sys.modules[source]
    for node in ast.walk(ast.parse(annotation, mode="eval")):
        if isinstance(node, ast.Name) and not hasattr(builtins, node.id):
            imports.add(*_origin(node.id, module))


def _origin(name: str, module: ModuleType) -> tuple[str, str, str]:
    """Return a name's module, its name there, and its alias here."""
    if name == "xr":  # public signatures name a Dataset, which a study need not import
        return "", "xarray", name
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
    """Sort the standard library first, then other packages, then our own."""
    top = module.partition(".")[0]
    return 0 if top in sys.stdlib_module_names else 1 + (top == "iaa_jax")
