"""Options that functions and commands share: declared once, as the fields of a group.

A group is a frozen dataclass. Its fields have the names, types and defaults of the options, its
docstring documents them, and `option` says which values they take and what the command line's help
says. A function has a parameter for each group, whose default `select` makes, and `public` turns it
into the function that users call, with a keyword for every option.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, fields
from types import SimpleNamespace
from typing import (
    Any,
    ClassVar,
    NamedTuple,
    Protocol,
    Self,
    TypeVar,
    cast,
    get_type_hints,
    runtime_checkable,
)

from iaa_jax._checks import (
    check_choice,
    check_first_share,
    check_kind,
    check_progress,
    check_share,
    check_whole,
)
from iaa_jax.data.door import span_ratings

Group = TypeVar("Group")
Result = TypeVar("Result")


class Values(Protocol):
    """What an option takes beside its default."""

    type: ClassVar[type]

    @property
    def metavar(self) -> str | None:
        """The help's word for such a value; None where there is nothing to say."""

    def check(self, option: str, value: object) -> None:
        """Refuse another value."""


@dataclass(frozen=True)
class OneOf:
    """Names.

    ``also`` says in words what else is taken, which is not checked here; ``nothing`` is the command
    line's word for None, where that is not the default.
    """

    names: tuple[str, ...]
    also: str = ""
    nothing: str = ""
    metavar: ClassVar[str] = "NAME"
    type: ClassVar[type] = str

    def check(self, option: str, value: object) -> None:
        """Refuse another name."""
        if isinstance(value, str) or not self.also:
            check_choice(option, value, self.names, self.also)


@dataclass(frozen=True)
class Whole:
    """Whole numbers from the least one up, to the most."""

    least: int
    most: int | None = None
    metavar: ClassVar[str] = "N"
    type: ClassVar[type] = int

    def check(self, option: str, value: object) -> None:
        """Refuse another number."""
        check_whole(option, value, self.least, self.most)


@dataclass(frozen=True)
class Share:
    """Numbers between 0 and 1, both left out."""

    metavar: ClassVar[str] = "SHARE"
    type: ClassVar[type] = float

    def check(self, option: str, value: object) -> None:
        """Refuse another number."""
        check_share(option, value)


@dataclass(frozen=True)
class FirstShare:
    """The share of the first of two labels: from 0.5 to 1."""

    metavar: ClassVar[str] = "SHARE"
    type: ClassVar[type] = float

    def check(self, option: str, value: object) -> None:
        """Refuse another number."""
        check_first_share(option, value)


class Option(NamedTuple):
    """A declared option."""

    name: str
    type: str
    default: object
    values: Values | None
    help: str
    common: bool


def option(
    default: object, values: Values | None = None, help: str = "", *, common: bool = False
) -> Any:
    """A field of a group: its default, its values, and what the command line's help says.

    What is ``common`` stands on the first screen of that help.
    """
    return field(default=default, metadata={"values": values, "help": help, "common": common})


def options_of(group: type) -> tuple[Option, ...]:
    """The options of a group, in order."""
    return _options_of(group)


@functools.cache
def _options_of(group: type) -> tuple[Option, ...]:
    return tuple(
        Option(field_of.name, str(field_of.type), field_of.default, **field_of.metadata)
        for field_of in fields(group)
    )


def check_values(group: object) -> None:
    """Refuse what an option does not take; its default it always takes."""
    for declared in options_of(type(group)):
        value = getattr(group, declared.name)
        if declared.values is not None and value is not declared.default:
            declared.values.check(declared.name, value)


class Selection(NamedTuple):
    """The options that a function takes of a group; others have their defaults."""

    group: type
    names: tuple[str, ...]

    @property
    def options(self) -> list[Option]:
        """Those options, in the order of the group."""
        return [declared for declared in options_of(self.group) if declared.name in self.names]


def select(group: type[Group], *names: str, without: tuple[str, ...] = ()) -> Group:
    """The default of a parameter that is a group: all of its options, those named, or the others.

    As with `dataclasses.field`, the type is that of what will stand there.
    """
    known = [declared.name for declared in options_of(group)]
    chosen = tuple(name for name in names or known if name not in without)
    if unknown := {*names, *without} - {*known}:
        message = f"{group.__name__} has no option {', '.join(unknown)}"
        raise ValueError(message)
    return cast(Group, Selection(group, chosen))


@runtime_checkable
class OfRatings(Protocol):
    """A group whose defaults depend on the ratings."""

    def of_ratings(self, ratings: object) -> Self:
        """The group for these ratings."""


def public(function: Callable[..., Result]) -> Callable[..., Result]:
    """The function that users call: each option of its groups is a keyword.

    Signature and documentation name every one. Within the package a group can be given whole, by
    the name of the parameter: the function takes of it what it takes of its options.

    Examples
    --------
    >>> from iaa_jax.measure.interval_options import IntervalOptions
    >>> @public
    ... def draw(ratings: object, *, options: IntervalOptions = select(IntervalOptions, "seed")):
    ...     return options.seed
    >>> draw([], seed=3), draw([], options=IntervalOptions(seed=4)), inspect.signature(draw)
    (3, 4, <Signature (ratings: 'object', *, seed: 'int' = 0)>)
    """
    own = inspect.signature(function)
    groups, hints = groups_of(own), _hints(function)
    opened = [parameter.name for parameter in own.parameters.values() if _is_opened(parameter)]
    rated: Any = inspect.unwrap(function).__globals__[_RATED] if opened else None
    by_ratings = {
        name
        for name, selection in groups.items()
        if issubclass(selection.group, OfRatings) and "sampling" in selection.names
    }
    with_scope = [name for name, each in groups.items() if hasattr(each.group, "scope")]
    signature = own.replace(parameters=list(_keywords(own, groups)))

    @functools.wraps(function)
    def with_keywords(*arguments: object, **keywords: object) -> Result:
        groups_given = {
            name: keywords.pop(name)
            for name, selection in groups.items()
            if isinstance(keywords.get(name), selection.group)
        }
        try:
            bound = signature.bind(*arguments, **keywords)
        except TypeError as error:
            message = f"{function.__name__}() {error}"
            raise TypeError(message) from None
        bound.apply_defaults()
        values = bound.arguments
        for name in hints:
            if name in values:
                check_kind(name, values[name], hints[name])
        check_progress(values.get("progress"))
        ratings = _let_in(values, rated_alone=not getattr(function, _EVERYONE, False))
        for name, selection in groups.items():
            options = {key: values.pop(key) for key in selection.names}
            if name in groups_given:
                options = {key: getattr(groups_given[name], key) for key in options}
            group = selection.group(**options)
            if name in by_ratings:
                group = group.of_ratings(ratings)
            values[name] = group
        if hasattr(function, "requirements"):
            function.requirements.check(values)
        for name in opened:
            if not isinstance(values[name], rated):  # within the package they are handed on
                values[name] = rated.of(values[name])
        with ExitStack() as within:
            for name in with_scope:
                within.enter_context(values[name].scope())
            return function(**values)

    with_keywords.__doc__ = _documented(inspect.getdoc(function) or "", groups)
    return with_signature(with_keywords, signature)


def of_everyone(function: Callable[..., Result]) -> Callable[..., Result]:
    """Mark a function that has a place for each annotator, also for those who rated nothing."""
    setattr(function, _EVERYONE, True)
    return function


_EVERYONE = "of_everyone"


def _let_in(values: dict[str, Any], *, rated_alone: bool) -> object:
    """Let every function of ratings take spans, and most see those alone who rated.

    Returns the first value as a Dataset, also where it is opened already.
    """
    labelled = {name: value for name, value in values.items() if hasattr(value, "attrs")}
    if labelled:
        from iaa_jax.data.select import measurable  # with xarray, which is there where ratings are

        door = measurable if rated_alone else span_ratings
        values.update({name: door(value) for name, value in labelled.items()})
    first = next(iter(values.values()), None)
    return getattr(first, "dataset", first)


_RATED = "Rated"


def _is_opened(parameter: inspect.Parameter) -> bool:
    """Whether a function takes ratings that were checked and opened, where users give a Dataset."""
    return bool(parameter.annotation == _RATED)


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    """The types of the parameters, but of ratings, which whoever opens them checks."""
    own = inspect.unwrap(function)
    plain = {
        name: hint
        for name, hint in own.__annotations__.items()
        if name != "return" and hint != _RATED and "xr." not in str(hint)
    }
    return get_type_hints(SimpleNamespace(__annotations__=plain), own.__globals__)


def with_signature(
    function: Callable[..., Result], signature: inspect.Signature
) -> Callable[..., Result]:
    """The function, which says that it has this signature: help and command line go by it."""
    function.__signature__ = signature  # type: ignore[attr-defined]
    return function


def groups_of(signature: inspect.Signature) -> dict[str, Selection]:
    """The parameters that are groups, and which options of each."""
    return {
        parameter.name: parameter.default
        for parameter in signature.parameters.values()
        if isinstance(parameter.default, Selection)
    }


def _keywords(
    signature: inspect.Signature, groups: dict[str, Selection]
) -> Iterator[inspect.Parameter]:
    """The parameters, with each group's options in its place."""
    for parameter in signature.parameters.values():
        if parameter.name not in groups:
            opened = _is_opened(parameter)
            yield parameter.replace(annotation="xr.Dataset") if opened else parameter
            continue
        for declared in groups[parameter.name].options:
            yield inspect.Parameter(
                declared.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=declared.default,
                annotation=declared.type,
            )


def _documented(text: str, groups: dict[str, Selection]) -> str:
    """A docstring with what groups say of their options, unless it says it itself."""
    own = dict(_entries(text))
    for name, selection in groups.items():
        entries = dict(_entries(inspect.getdoc(selection.group) or ""))
        shared = [entries[key] for key in selection.names if key in entries and key not in own]
        if name in own:
            text = text.replace(f"\n{own[name]}", "\n" + "".join(shared), 1)
    return text


def _entries(text: str) -> Iterator[tuple[str, str]]:
    """The options that a docstring documents, each with its lines."""
    _, _, section = text.partition("\nParameters\n----------\n")
    entry: list[str] = []
    for line in [*section.partition("\n\n")[0].splitlines(), "end"]:
        if entry and not line.startswith(" "):
            for name in entry[0].partition(" : ")[0].split(", "):
                yield name, "".join(f"{part}\n" for part in entry)
            entry = []
        entry.append(line)
