"""docs/architecture.md names what exists: modules, functions and paths."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

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


@pytest.mark.parametrize("name", NAMES)
def test_the_name_exists(name: str) -> None:
    if name != "iaa_jax.readers":  # a group of entry points
        assert resolved(name) is not None


@pytest.mark.parametrize("path", PATHS)
def test_the_path_exists(path: str) -> None:
    assert (ROOT / path).exists()


def test_every_folder_is_on_the_map() -> None:
    folders = {path.parent.name for path in (ROOT / "iaa_jax").glob("*/__init__.py")}
    assert {name for name in folders if f"`iaa_jax/{name}/`" not in TEXT} <= {"report"}
    assert len(NAMES) > 30
