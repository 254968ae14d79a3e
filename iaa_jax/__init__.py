"""Inter-annotator agreement with intervals, computed with JAX from ratings and weights.

Importing this package is cheap: a public name loads its module when the name is first used.
"""

from __future__ import annotations

from importlib import import_module

from iaa_jax._lazy import no_such_name
from iaa_jax._names import MEMBERS, MODULES, SUBMODULES

__version__ = "0.1.0"

__all__ = ["__version__", *MODULES, *SUBMODULES]


def __getattr__(name: str) -> object:
    if name in SUBMODULES:
        return import_module(f"{__name__}.{name}")
    if name in MODULES:
        value = getattr(import_module(MODULES[name]), name)
        for member, module in MEMBERS.get(name, {}).items():
            setattr(value, member, getattr(import_module(module), f"{name}_{member}"))
        globals()[name] = value
        return value
    raise no_such_name(__name__, name, __all__)


def __dir__() -> list[str]:
    return sorted(__all__)
