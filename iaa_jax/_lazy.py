"""Packages that load a name's module when the name is first used (PEP 562).

Their ``__init__`` imports the same names where types are checked, so that editors know them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module


def on_first_use(package: str, modules: Mapping[str, Sequence[str]]) -> Callable[[str], object]:
    """A package's ``__getattr__``: the names that it has of its modules, by module."""
    module_of = {name: module for module, names in modules.items() for name in names}

    def load(name: str) -> object:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"{package}.{module_of[name]}"), name)
        setattr(sys.modules[package], name, value)  # found without this from now on
        return value

    return load
