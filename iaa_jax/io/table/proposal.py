"""Writes proposals for reading a table: a condition, and options to give if it holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from shlex import quote

from iaa_jax._errors import brief
from iaa_jax.io.table.source import Source
from iaa_jax.wording import keyword

Told = Mapping[str, object]
"""Options of `iaa_jax.read` by name."""

# A column name up to the last dot, colon or slash; if it has none, up to the last blank, _ or -.
PREFIX = re.compile(r"(.+[.:/])[^.:/]+|([^.:/]+[_ -])[^.:/_ -]+")

MOST, LONGEST = 20, 400  # maximum number and total length of columns in advice


OF_ONE_EACH = "if each file is of one annotator"


def each_by(questions: Iterable[str]) -> str:
    """Return advice on measuring several questions, each by itself.

    Examples
    --------
    >>> each_by(["tone_*", "topic_*"])
    "--questions 'tone_*,topic_*' of 'iaa agree' instead measures each by itself"
    """
    names = list(questions)
    listed = quote(",".join(names if len(names) <= MOST else [*names[:MOST], "..."]))
    return f"--questions {listed} of 'iaa agree' instead measures each by itself"


def named_by_files(files: Sequence[Source]) -> str:
    """Return the option that takes annotators from the names of files."""
    return keyword("file_pattern", f"{{annotator}}{files[0].suffix or '.*'}")


def advice(condition: str, told: Told) -> str:
    """Return advice to give options under a condition."""
    options, columns = [], ""
    for name, value in told.items():
        names = value.split(",") if isinstance(value, str) else []
        if len(names) > MOST and len(str(value)) > LONGEST:
            named, value = f"{brief(names[0])} to {brief(names[-1])}", "NAME,NAME"
            columns += f" ({len(names):,} columns from {named})"
        options.append(keyword(name, value))
    listed = " and ".join([", ".join(options[:-1]), *options[-1:]] if options[1:] else options)
    return f"{condition}, give {listed}{columns}"
