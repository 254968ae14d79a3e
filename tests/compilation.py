"""How XLA compiles: quickly in the processes of the tests, as for a user where that matters."""

from __future__ import annotations

import os
from importlib.metadata import version

QUICK = "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true"
PLAIN_LOOPS = "--xla_cpu_use_fusion_emitters=false"
"""Fused loops from the older emitters of LLVM code, which are done in half the time."""

KNOWN = ((0, 8), (0, 10))
"""The first and the last jaxlib seen to know that flag: one that it does not know ends XLA."""


def quickly() -> str:
    """Flags for XLA that make it compile quickly, not well."""
    major, minor, *_ = version("jaxlib").split(".")
    first, last = KNOWN
    return f"{QUICK} {PLAIN_LOOPS}" if first <= (int(major), int(minor)) <= last else QUICK


def as_for_a_user() -> dict[str, str]:
    """The environment of this process without such flags, for a program that a test starts."""
    return {name: value for name, value in os.environ.items() if name != "XLA_FLAGS"}
