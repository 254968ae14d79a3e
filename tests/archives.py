"""Zip archives of members."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping


def packed(members: Mapping[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return data.getvalue()
