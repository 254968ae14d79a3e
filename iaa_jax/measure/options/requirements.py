"""What a study requires of ratings and options, declared by a decorator and checked here.

A study is a public function that analyses ratings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol, TypeVar

from iaa_jax._checks import MOST_DRAWS, check_whole
from iaa_jax._errors import IaaError
from iaa_jax.data.kind import Kind, kind_of
from iaa_jax.data.storage import further_votes
from iaa_jax.data.votes import unfit_of_votes
from iaa_jax.measure.options.interval import fewest_replicates
from iaa_jax.measure.options.interval_options import IntervalOptions
from iaa_jax.measure.options.resolved_interval import resolve

Function = TypeVar("Function", bound=Callable[..., Any])

Excludable = Literal[
    "spans",
    "numbers",
    "sets of labels",
    "shares of labels",
    "secondary labels",
    "single labels",
    "counts without annotators",
    "crowds",
    "one annotator",
    "one label",
    "sets of one label",
]
"""The kinds of ratings that a study may exclude."""


class Exclusion(Protocol):
    """Ratings that a study does not take; documentation names them by ``kind``."""

    @property
    def kind(self) -> str:
        """The kind of these ratings."""

    def reason(self, ratings: Any) -> str:
        """Return the reason why these ratings do not fit; "" if they do."""


@dataclass(frozen=True)
class Excluded:
    """A kind of ratings that a study does not take, with the reason.

    ``because`` is a clause on what the study does, such as "labels are counted". ``instead`` is a
    clause on what to use for these ratings.
    """

    kind: Excludable
    because: str
    instead: str = ""

    def reason(self, ratings: Any) -> str:
        """Return the reason why these ratings do not fit; "" if they do."""
        is_of_kind, clause = _KINDS[self.kind]
        if not is_of_kind(ratings):
            return ""
        advice = f": {self.instead}" if self.instead else ""
        sizes = {axis: f"{size:,}" for axis, size in ratings.sizes.items()}
        return f"{self.because}, and {clause.format_map(sizes)}{advice}"


@dataclass(frozen=True)
class SeveralVotes:
    """Ratings with several votes of an annotator on an item, and why a study refuses them."""

    because: str
    kind: ClassVar[str] = "several votes of an annotator on an item"

    def reason(self, ratings: Any) -> str:
        """Return the reason why these ratings do not fit; "" if they do."""
        return unfit_of_votes(ratings, self.because)


class Value(Protocol):
    """The values that an option of a study takes."""

    def check(self, option: str, value: Any) -> None:
        """Raise an error for any other value."""


@dataclass(frozen=True)
class Intervals:
    """The kinds of interval that a study makes, and the units that it may draw.

    The fields are the arguments of `ResolvedInterval.check`.
    """

    methods: tuple[str, ...] | None = None
    sampling: tuple[str, ...] = ()
    band: bool = False
    drawn: bool = False
    by_kind: bool = False

    def check(self, _: str, value: IntervalOptions) -> None:
        """Raise an error for intervals that the study cannot make."""
        resolve(value).check(
            self.methods,
            sampling=self.sampling,
            band=self.band,
            drawn=self.drawn,
            by_kind=self.by_kind,
        )


@dataclass(frozen=True)
class Each:
    """A list of values of one kind."""

    of: Value

    def check(self, option: str, value: Any) -> None:
        """Raise an error for a list with a value that is not of this kind."""
        for element in value:
            self.of.check(option, element)


@dataclass(frozen=True)
class Requirements:
    """The requirements of a study.

    ``ratings`` lists what the study does not take, and ``options`` the allowed values of its
    options, by name.
    """

    ratings: tuple[Exclusion, ...] = ()
    options: Mapping[str, Value] | None = None

    def reason(self, ratings: Any) -> str:
        """Return why ratings do not fit the study; "" if they do, and for other objects."""
        ratings = getattr(ratings, "dataset", ratings)
        if "task" not in getattr(ratings, "attrs", {}) or "made_by" in ratings.attrs:
            return ""
        return next(filter(None, (excluded.reason(ratings) for excluded in self.ratings)), "")

    def check(self, values: Mapping[str, Any]) -> None:
        """Raise an error if arguments do not fit; ``values`` holds them by name, ratings first."""
        if reason := self.reason(next(iter(values.values()))):
            raise IaaError(reason)
        for name, taken in (self.options or {}).items():
            if values[name] is not None:
                taken.check(name, values[name])


def requires(*ratings: Exclusion, **options: Value) -> Callable[[Function], Function]:
    """Declare what a study requires of its ratings and of its options.

    An option with the value None counts as not given, and is not checked.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> from iaa_jax.measure.options.declared import Whole, public
    >>> @public
    ... @requires(Excluded("numbers", "labels are counted", "use iaa_jax.items"), top=Whole(1))
    ... def common(ratings, *, top: int = 10):
    ...     return top
    >>> common(iaa.from_wide([["a", "b"]]), top=3)
    3
    >>> common(iaa.from_values([[1.5, 2.5]]))
    Traceback (most recent call last):
        ...
    iaa_jax._errors.IaaError: labels are counted, and these ratings are numbers: use iaa_jax.items
    """

    def declared(function: Function) -> Function:
        function.requirements = Requirements(ratings, options)  # type: ignore[attr-defined]
        return function

    return declared


def requirements_of(function: object) -> Requirements:
    """Return the requirements that a public function declares; by default there are none."""
    return getattr(function, "requirements", Requirements())


def check_replicates_of(options: IntervalOptions, replicates: int, least: int = 0) -> None:
    """Raise an error for too few replicates for an interval; 0 are allowed if ``least`` is 0."""
    check_whole("replicates", replicates, least, MOST_DRAWS)
    if replicates:
        fewest = fewest_replicates((1 - options.confidence) / 2)
        check_whole("replicates", replicates, fewest, MOST_DRAWS)


def _has_one_label(ratings: Any) -> bool:
    return bool(ratings.sizes.get("label", 2) < 2)


def _is(kind: Kind) -> Callable[[Any], bool]:
    return lambda ratings: kind_of(ratings.attrs) is kind


_KINDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "spans": (_is(Kind.SPANS), "these are spans of documents"),
    "numbers": (_is(Kind.NUMBERS), "these ratings are numbers"),
    "sets of labels": (_is(Kind.SETS), "these ratings are sets of labels"),
    "shares of labels": (_is(Kind.SHARES), "these ratings are shares of labels"),
    "secondary labels": (_is(Kind.DOUBLES), "these ratings have secondary labels"),
    "single labels": (
        lambda ratings: not _is(Kind.SETS)(ratings),
        "these ratings are not sets of labels",
    ),
    "counts without annotators": (
        lambda ratings: bool(ratings.attrs.get("anonymous", 0)),
        "these ratings do not say who rated",
    ),
    "crowds": (
        lambda ratings: "slot" in ratings.dims and further_votes(ratings) is None,
        "these ratings are from {annotator} annotators, each of whom rated a few items",
    ),
    "one annotator": (
        lambda ratings: ratings.sizes.get("annotator", 2) < 2,
        "these ratings are from one annotator",
    ),
    "one label": (
        lambda ratings: _has_one_label(ratings) and not _is(Kind.SETS)(ratings),
        "all ratings have the same label",
    ),
    "sets of one label": (
        lambda ratings: _has_one_label(ratings) and _is(Kind.SETS)(ratings),
        "there is one label",
    ),
}
"""The test for each kind of ratings, with a clause for the error message."""
