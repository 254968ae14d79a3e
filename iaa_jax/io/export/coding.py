"""Names of items and annotators as codes."""

from __future__ import annotations

from iaa_jax._errors import IaaError, shown
from iaa_jax.io.export.answers import text_of


def code_of(known: dict[str, int], name: object) -> int:
    """The code of a name; -1 for none."""
    code = known.get(name) if type(name) is str else None
    if code is not None:
        return code
    if isinstance(name, (bool, list, dict)):
        msg = f"{shown([name])} where the name of an item or annotator is needed"
        raise IaaError(msg)
    text = text_of(name) if name is not None else ""
    return known.setdefault(text, len(known)) if text else -1
