"""Packages that load a name's module when the name is first used (PEP 562).

Their ``__init__`` imports the same names where types are checked, so that editors know them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module

Load = Callable[[str], object]
List = Callable[[], list[str]]


def on_first_use(package: str, modules: Mapping[str, Sequence[str]]) -> tuple[Load, List]:
    """A package's ``__getattr__`` and ``__dir__``: the names that it has of its modules, by module.

    What is listed are the public names, loaded or not.
    """
    module_of = {name: module for module, names in modules.items() for name in names}

    def load(name: str) -> object:
        if name not in module_of:
            raise no_such_name(package, name, listing())
        value: object = getattr(import_module(f"{package}.{module_of[name]}"), name)
        setattr(sys.modules[package], name, value)  # found without this from now on
        return value

    def listing() -> list[str]:
        return sorted(sys.modules[package].__all__)

    return load, listing


def no_such_name(package: str, name: str, known: Iterable[str]) -> AttributeError:
    """What a package says of a name that it does not have: which of its own may be meant."""
    hint = ""
    if not name.startswith("_"):  # nobody typed those
        from iaa_jax._errors import suggestion

        hint = suggestion(name, known)
    # an object and no name: where it has both, Python's own guess stands behind ours
    return AttributeError(
        f"module {package!r} has no attribute {name!r}{hint}", obj=sys.modules[package]
    )
