"""Parts of the command line: lists of names, the cache's settings, files, progress."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import xarray as xr

from iaa_jax import _files
from iaa_jax.cli import cache
from iaa_jax.cli.choices import listed, several_of
from iaa_jax.pages import Page
from iaa_jax.pages.saving import as_json


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a", ["a"]),
        ("a,b", ["a", "b"]),
        (" a , b c ", ["a", "b c"]),
        ('"a,b",c', ["a,b", "c"]),
    ],
)
def test_lists_with_commas(text: str, parts: list[str]) -> None:
    assert listed(text, "--labels") == parts


def test_names_are_taken_once() -> None:
    assert several_of("b,a,b", ("a", "b"), "--coefficients") == ["b", "a"]
    assert several_of(None, ("a", "b"), "--coefficients") is None


@pytest.fixture
def jax_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """An environment without settings, and what a call adds to it."""
    names = ("JAX_COMPILATION_CACHE_DIR", *cache._SETTINGS)
    for name in (*names, cache.VARIABLE):
        # set first, so that what the program sets is undone after the test
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))

    def settings() -> dict[str, str]:
        cache.keep_compiled()
        return {name: os.environ[name] for name in names if name in os.environ}

    return settings


def test_compiled_code_is_kept_in_the_users_cache(jax_settings, tmp_path: Path) -> None:
    settings = jax_settings()
    folder = Path(settings.pop("JAX_COMPILATION_CACHE_DIR"))
    assert folder.is_dir()
    assert tmp_path in folder.parents
    assert settings == cache._SETTINGS


def test_the_cache_can_be_elsewhere(jax_settings, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "mine" / "here"))
    assert jax_settings()["JAX_COMPILATION_CACHE_DIR"] == str(tmp_path / "mine" / "here")


def test_the_cache_can_be_off(jax_settings, monkeypatch) -> None:
    monkeypatch.setenv(cache.VARIABLE, "")
    assert jax_settings() == {}


def test_what_the_user_told_jax_stays(jax_settings, monkeypatch) -> None:
    monkeypatch.setenv("JAX_COMPILATION_CACHE_DIR", "elsewhere")
    assert jax_settings() == {"JAX_COMPILATION_CACHE_DIR": "elsewhere"}


def test_one_setting_of_the_user_stays(jax_settings, monkeypatch) -> None:
    name = "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"
    monkeypatch.setenv(name, "5")
    assert jax_settings()[name] == "5"


def test_a_folder_that_cannot_be_made_is_left_alone(jax_settings, monkeypatch, tmp_path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "file" / "cache"))
    assert jax_settings() == {}


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch) -> None:
    target = tmp_path / "out.json"
    target.write_text("old")

    def fails(*_: object) -> None:
        raise PermissionError

    with monkeypatch.context() as patch:
        patch.setattr(_files.os, "replace", fails)
        with pytest.raises(PermissionError):
            _files.write_whole(target, b"new")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]
    _files.write_whole(target, b"new")
    assert target.read_text() == "new"


def test_a_written_file_has_usual_permissions_and_links_stay(tmp_path: Path) -> None:
    _files.write_whole(tmp_path / "new", b"")
    (tmp_path / "usual").write_text("")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode
    (tmp_path / "link").symlink_to(tmp_path / "new")
    _files.write_whole(tmp_path / "link", b"content")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "new").read_bytes() == b"content"


def test_json_keeps_the_letters_of_the_data(tmp_path: Path) -> None:
    Page("", [], [], {}, {"": xr.Dataset({"schön": 1.5})}).save(tmp_path / "out.json")
    text = (tmp_path / "out.json").read_text(encoding="utf-8")
    assert "schön" in text
    assert json.loads(text)["schön"] == 1.5


def test_json_refuses_what_is_no_number() -> None:
    with pytest.raises(ValueError, match="JSON"):
        as_json({"a": float("nan")})
