"""docs/conformance.md: reference values are ours, and where programs differ the reason holds."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def conformance() -> ModuleType:
    sys.path.insert(0, str(ROOT / "tools"))
    spec = importlib.util.spec_from_file_location("conformance", ROOT / "tools" / "conformance.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["conformance"] = module
    spec.loader.exec_module(module)
    return module


def test_the_page_is_what_its_command_writes(conformance: ModuleType) -> None:
    checked, found = [*conformance.values()], [*conformance.differences()]
    wrong = [f"{value.case.id} {value.field}" for value in checked if not value.holds]
    assert not wrong
    assert len(checked) > 600
    unexplained = {(each.case.id, each.program, each.field) for each in found if not each.reason}
    assert unexplained == set()
    compared = [*conformance.compare.comparisons()]
    assert not [each.theirs for each in compared if not each.same and not each.reason]
    assert len(compared) > 1000
    page = (ROOT / "docs" / "conformance.md").read_text(encoding="utf-8")
    assert page == conformance.page(checked, found, compared)
