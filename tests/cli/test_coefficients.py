"""``iaa coefficients``: every row of the catalogue, and all about one."""

from __future__ import annotations

import pytest

from iaa_jax.catalog import CATALOG, NAMES


def test_every_name_is_listed(iaa) -> None:
    done = iaa("coefficients")
    assert done.exit_code == 0
    words = done.stdout.replace(",", " ").replace(".", " ").replace(")", " ").split()
    assert set(NAMES) <= set(words)
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.parametrize("name", NAMES)
def test_all_about_one(iaa, name: str) -> None:
    done = iaa("coefficients", name)
    assert done.exit_code == 0
    row = CATALOG[NAMES[name]]
    text = " ".join(done.stdout.split())
    assert all(alias in text for alias in row.names)
    assert " ".join(row.summary.split()) in text
    assert row.link in text
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_an_unknown_one(iaa) -> None:
    done = iaa("coefficients", "kappa")
    assert done.exit_code == 2
    assert "krippendorff_alpha" in done.stderr


def test_a_family(iaa) -> None:
    done = iaa("coefficients", "icc")
    assert done.exit_code == 0
    listed = {line.split()[0] for line in done.stdout.splitlines() if line[:1].strip()}
    assert listed & set(CATALOG) == {name for name in CATALOG if name.startswith("icc")}
