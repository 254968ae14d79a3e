"""A way to read a table: a condition, and what to say of the file if it holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from shlex import quote

from iaa_jax.wording import keyword

Told = Mapping[str, object]
"""What a caller may say of a file: options of `iaa_jax.read` with their values."""

# A part before the last dot, or the last of other marks where there is no dot.
PREFIX = re.compile(r"(.+[.:/])[^.:/]+|([^.:/]+[_ -])[^.:/_ -]+")


def each_by(questions: Iterable[str]) -> str:
    """How several questions are measured by the command line, where one would be named.

    Examples
    --------
    >>> each_by(["tone_*", "topic_*"])
    "--questions 'tone_*,topic_*' of 'iaa agree', in its place, measures each by itself"
    """
    listed = quote(",".join(questions))
    return f"--questions {listed} of 'iaa agree', in its place, measures each by itself"


@dataclass(frozen=True)
class Proposal:
    """A condition, and what to say of the file if it holds."""

    condition: str
    told: Told = field(default_factory=dict)
    also: str = ""

    @property
    def text(self) -> str:
        """The advice."""
        options = [keyword(name, value) for name, value in self.told.items()]
        listed = " and ".join([", ".join(options[:-1]), *options[-1:]] if options[1:] else options)
        return f"{self.condition}, give {listed}{self.also}"
