"""The fields of records that the caller names.

They identify items and annotators, are kept, or tell which judgements are excluded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import cast

from iaa_jax._errors import MissingColumnError, OptionError, shown
from iaa_jax.data.kept_columns import RESERVED
from iaa_jax.data.notices.similar import JOINT
from iaa_jax.io.base import Options
from iaa_jax.io.table.columns import split_names
from iaa_jax.io.table.excluding import rule_of
from iaa_jax.io.table.json_fields import Json, cell_text
from iaa_jax.wording import keyword

TIME = "time"
"""The name under which the times of judgements are kept, unless a field has this name."""

TEXT = "text"
"""The name under which the texts of documents are kept, unless a field has this name."""

Fields = Mapping[str, Json]
"""The fields of a record, which may name items and annotators, or be kept."""

Where = Callable[[], str]
"""Returns the position of a record, for messages."""


class NamedFields:
    """The fields by which the caller names items and annotators, keeps or excludes judgements."""

    def __init__(self, options: Options) -> None:
        self.item = () if options.item is None else split_names(options.item, ())
        self.annotator = options.annotator
        # whether to keep the times of judgements
        self.keeps_all = options.keeps_all
        self.keep = () if options.keep is None else split_names(options.keep, ())
        self.keep = (TIME,) if options.keeps_all else self.keep
        self.rules = [rule_of(text) for text in options.exclude]
        self.met: set[str] = set()  # fields to keep or exclude by that occur in some record
        # for each such field: the error about the first record without it
        self._lacking: dict[str, MissingColumnError] = {}
        taken = [name for name in self.keep if name in RESERVED]
        if taken:
            raise OptionError(
                f"{keyword('keep', taken[0])} names a variable that ratings have anyway: leave it "
                "out"
            )

    def item_of(self, fields: Fields | None, where: Where) -> str | None:
        """Return the item that fields of a record name together; None if one of these is empty."""
        parts = [field_of(fields, name, where, "item") for name in self.item]
        return None if None in parts else JOINT.join(map(str, parts))

    @property
    def columns(self) -> list[str]:
        """The fields to keep, and those by which judgements are excluded."""
        return list(dict.fromkeys([*self.keep, *(rule.column for rule in self.rules)]))

    def value_of(self, fields: Fields | None, name: str, where: Where, time: float) -> str | None:
        """Return the text of one of the ``columns``; None if this record lacks the field.

        "time" means the time of the judgement, whatever the tool calls it, unless a field has this
        name.
        """
        try:
            value = field_of(fields, name, where, "keep" if name in self.keep else "exclude")
        except MissingColumnError as error:
            if name != TIME or math.isnan(time):
                self._lacking.setdefault(name, error)
                return None
            value = repr(time)
        self.met.add(name)
        return value

    def check(self) -> None:
        """Refuse fields that no record has, if the caller named them."""
        named = {*self.columns} - ({TIME} if self.keeps_all else set())
        for name, error in self._lacking.items():
            if name in named - self.met:
                raise error


def field_of(fields: Fields | None, name: str, where: Where, option: str) -> str | None:
    """Return the text of a field of a record; dots in the name lead to inner fields."""
    value: Json = cast("Json", fields)
    if fields is not None and name in fields:
        return cell_text(fields[name])
    for part in name.split("."):
        if isinstance(value, Mapping) and part in value:
            value = value[part]
        elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            known = shown(fields or (), 12) or "none"
            by = f"(named by {keyword(option, name)})"
            raise MissingColumnError(
                f"{where()} has no field {name!r} {by}; its fields are {known}"
            )
    return cell_text(value)
