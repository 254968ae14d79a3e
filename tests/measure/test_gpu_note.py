"""A note says that JAX has a GPU only where the host draws for seconds."""

from __future__ import annotations

import pytest

import iaa_jax as iaa
from iaa_jax.engine import devices
from tests.engine.real import made
from tests.noted import notes_of, sentences_of

BCA = {"interval": "bca", "replicates": 60}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the look-ups, with a GPU present."""
    looked: list[str] = []

    def there() -> bool:
        looked.append("gpu")
        return True

    monkeypatch.setattr("iaa_jax.measure.results.gpu_there", there)
    return looked


def test_small_work_does_not_look(asked: list[str]) -> None:
    assert not notes_of(iaa.krippendorff_alpha(made(60, 3), **BCA), "gpu_there")
    assert asked == []


def test_long_work_says_so_once(asked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iaa_jax._thresholds.DRAWN_LONG", 60)
    ratings = made(60, 3)
    for result in (iaa.krippendorff_alpha(ratings, **BCA), iaa.agreement(ratings, **BCA)):
        assert len(notes_of(result, "gpu_there")) == 1
    assert "JAX finds a GPU here that was not asked for" in sentences_of(result)
    asked.clear()
    for options in ({"interval": None}, {"interval": "kurtosis_t"}, {**BCA, "device": "cpu"}):
        assert not notes_of(iaa.krippendorff_alpha(ratings, **options), "gpu_there")
    assert asked == []


def test_jax_is_not_imported_where_it_has_no_plugin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "plugins_there", lambda: False)
    monkeypatch.setattr("jax.default_backend", lambda: "gpu")
    assert not devices.gpu_there()
    monkeypatch.setattr(devices, "plugins_there", lambda: True)
    assert devices.gpu_there()
    monkeypatch.setattr("jax.default_backend", lambda: "cpu")
    assert not devices.gpu_there()
