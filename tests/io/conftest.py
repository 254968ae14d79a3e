"""Files to read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from iaa_jax import IaaError, read

Write = Callable[..., Path]
Refused = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(text: str | bytes, name: str = "t.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


@pytest.fixture
def refused(write: Write, tmp_path: Path) -> Refused:
    """Read a text that must be refused, and give the message, without the folder."""

    def refused(text: str | bytes, **options: object) -> str:
        path = write(text)
        with pytest.raises(IaaError) as caught:
            read(path, **options)
        message = str(caught.value)
        assert "t.csv" in message
        assert "\n" not in message
        assert "pandas" not in message
        return message.replace(f"{tmp_path}/", "")

    return refused
