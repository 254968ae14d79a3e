"""Let packages load the module of a public name when the name is first used (PEP 562)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module

Load = Callable[[str], object]
List = Callable[[], list[str]]


def on_first_use(package: str, modules: Mapping[str, Sequence[str]]) -> tuple[Load, List]:
    """Return a package's ``__getattr__`` and ``__dir__``, given the public names in its modules."""
    module_of = {name: module for module, names in modules.items() for name in names}

    def load(name: str) -> object:
        if name not in module_of:
            raise no_such_name(package, name, listing())
        value: object = getattr(import_module(f"{package}.{module_of[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    def listing() -> list[str]:
        return sorted(sys.modules[package].__all__)

    return load, listing


def no_such_name(package: str, name: str, known: Iterable[str]) -> AttributeError:
    """Return the error for a name that a package lacks, with a suggestion from the known names."""
    hint = ""
    if not name.startswith("_"):  # nobody types such names
        from iaa_jax._errors import suggestion

        hint = suggestion(name, known)
    return AttributeError(
        f"module {package!r} has no attribute {name!r}{hint}", obj=sys.modules[package]
    )
