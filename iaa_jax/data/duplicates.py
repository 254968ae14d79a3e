"""The choices for an annotator's repeated ratings of an item, and how messages offer them."""

from __future__ import annotations

from collections.abc import Collection

from iaa_jax.wording import keyword

DUPLICATES = ("error", "first", "last", "combine", "apart", "votes")
"""What to do if an annotator rated an item twice: refuse it, keep one rating, unite the labels into
a set, attribute later ratings to new annotators, or count all as votes.
"""

REPEATS = ("keep", "error", "first", "last")
"""The choices for a long table, which may also keep every judgement."""

_ON_PURPOSE = {
    "combine": "combine them into one set of labels with {option}",
    "apart": "treat the later ones as ratings by additional annotators with {option} (as 'iaa "
    "annotators --repeats' does, to measure how far annotators agree with themselves)",
    "votes": "for gold labels, count each as a vote with {option}",
    "keep": "keep them all with {option}",
}


def ways_out(choices: Collection[str] = DUPLICATES) -> str:
    """The ways to continue where ratings repeat: every choice except the refusal.

    Examples
    --------
    >>> from iaa_jax.wording.spelling import in_python, respelled
    >>> respelled(ways_out(("error", "first", "last")), in_python)
    "keep one of each with duplicates='first' or duplicates='last'"
    """
    one_each = " or ".join(_option(name) for name in ("first", "last") if name in choices)
    others = [
        text.format(option=_option(name)) for name, text in _ON_PURPOSE.items() if name in choices
    ]
    if not others:
        return f"keep one of each with {one_each}"
    listed = ", ".join(others[:-1])
    either = f"{listed}, or {others[-1]}" if listed else others[-1]
    return f"keep one of each with {one_each}; or, if they are meant, {either}"


def ways_of(choices: Collection[str] = DUPLICATES) -> list[str]:
    """The ways to continue, one by one, for `iaa_jax.wording.with_ways`.

    Examples
    --------
    >>> len(ways_of(("error", "first", "last"))), len(ways_of())
    (1, 4)
    """
    one_each, *others = [
        ways_out([name for name in ("first", "last") if name in choices]),
        *(
            text.format(option=_option(name))
            for name, text in _ON_PURPOSE.items()
            if name in choices
        ),
    ]
    return [one_each, *others[:-1], *(f"or {last}" for last in others[-1:])]


def _option(name: str) -> str:
    return keyword("duplicates", name)
