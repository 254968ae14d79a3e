"""Options that functions and commands share, declared as the fields of dataclasses.

Such a dataclass is a group of options. Each field, made by `option`, has the name, type and default
of an option, and the docstring documents the options. A function has one parameter for each group,
whose default `select` makes. `taking_options` turns the function into the one that users call, with
a keyword for every option.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar, cast

from iaa_jax._checks import check_choice, check_first_share, check_share, check_whole

Group = TypeVar("Group")
Result = TypeVar("Result")


class Values(Protocol):
    """The values that an option accepts in addition to its default."""

    type: ClassVar[type]

    @property
    def metavar(self) -> str | None:
        """The word for such a value in the command line's help; None if there is none."""

    def check(self, option: str, value: object) -> None:
        """Refuse a value that the option does not accept."""


@dataclass(frozen=True)
class OneOf:
    """Values out of a list of names.

    ``also`` describes further values that are accepted and not checked here. ``nothing`` is the
    command line's word for None, if None is accepted and is not the default.
    """

    names: tuple[str, ...]
    also: str = ""
    nothing: str = ""
    metavar: ClassVar[str] = "NAME"
    type: ClassVar[type] = str

    def check(self, option: str, value: object) -> None:
        """Refuse a name that is not in the list."""
        if isinstance(value, str) or not self.also:
            check_choice(option, value, self.names, self.also)


@dataclass(frozen=True)
class Whole:
    """Whole numbers in a range."""

    least: int
    most: int | None = None
    metavar: ClassVar[str] = "N"
    type: ClassVar[type] = int

    def check(self, option: str, value: object) -> None:
        """Refuse a value that is not a whole number in the range."""
        check_whole(option, value, self.least, self.most)


@dataclass(frozen=True)
class Share:
    """Numbers strictly between 0 and 1.

    With ``of_first``, the number is a primary label's share, from 0.5 to 1.
    """

    of_first: bool = False
    metavar: ClassVar[str] = "SHARE"
    type: ClassVar[type] = float

    def check(self, option: str, value: object) -> None:
        """Refuse a value that is not a number in the range."""
        check = check_first_share if self.of_first else check_share
        check(option, value)


class Text:
    """Any text; the code that uses the text checks it."""

    type: ClassVar[type] = str

    def __init__(self, metavar: str | None) -> None:
        self.metavar = metavar

    def check(self, option: str, value: object) -> None:
        """Accept any text."""


class Listed(Text):
    """Names separated by commas."""


class Repeated(Text):
    """A text for each time that the option is given."""

    type: ClassVar[Any] = list[str]


class Flag(Text):
    """No value: the option is either given or not."""

    type: ClassVar[type] = bool


class Option(NamedTuple):
    """An option of a group, as declared by a field."""

    name: str
    type: str
    default: object
    values: Values | None
    help: str
    common: bool


def option(
    default: object, values: Values | None = None, help: str = "", *, common: bool = False
) -> Any:
    """Return a field of a group, with the option's default, its values, and its help.

    The help of a command shows ``common`` options first.
    """
    return field(default=default, metadata={"values": values, "help": help, "common": common})


def options_of(group: type) -> tuple[Option, ...]:
    """Return the options of a group, in the order of its fields."""
    return _options_of(group)


@functools.cache
def _options_of(group: type) -> tuple[Option, ...]:
    return tuple(
        Option(field_of.name, str(field_of.type), field_of.default, **field_of.metadata)
        for field_of in fields(group)
    )


def check_values(group: object) -> None:
    """Refuse values that options do not accept; the default is always accepted."""
    for declared in options_of(type(group)):
        value = getattr(group, declared.name)
        if declared.values is not None and value is not declared.default:
            declared.values.check(declared.name, value)


class Selection(NamedTuple):
    """The options of a group that a function takes; the other options keep their defaults."""

    group: type
    names: tuple[str, ...]

    @property
    def options(self) -> list[Option]:
        """The selected options, in the order of the group."""
        return [declared for declared in options_of(self.group) if declared.name in self.names]


def select(group: type[Group], *names: str, without: tuple[str, ...] = ()) -> Group:
    """Return the default of a parameter that is a group, with the options that the function takes.

    The function takes the options in ``names`` (by default, all options of the group), except those
    in ``without``. The result is a `Selection`; it is declared as the group, because the parameter
    holds the group in a call.
    """
    known = [declared.name for declared in options_of(group)]
    chosen = tuple(name for name in names or known if name not in without)
    if unknown := {*names, *without} - {*known}:
        raise ValueError(f"{group.__name__} has no option {', '.join(unknown)}")
    return cast(Group, Selection(group, chosen))


def with_signature(
    function: Callable[..., Result], signature: inspect.Signature
) -> Callable[..., Result]:
    """Give a function the signature that Python's help and the command line show."""
    function.__signature__ = signature  # type: ignore[attr-defined]
    return function


def groups_of(signature: inspect.Signature) -> dict[str, Selection]:
    """Return the parameters that are groups, by name, each with the options that it holds."""
    return {
        parameter.name: parameter.default
        for parameter in signature.parameters.values()
        if isinstance(parameter.default, Selection)
    }


def keywords_of(
    signature: inspect.Signature, groups: dict[str, Selection]
) -> Iterator[inspect.Parameter]:
    """Yield the parameters of a function, with the options of each group in place of the group."""
    for parameter in signature.parameters.values():
        if parameter.name not in groups:
            yield parameter
            continue
        for declared in groups[parameter.name].options:
            yield inspect.Parameter(
                declared.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=declared.default,
                annotation=declared.type,
            )


def values_of_call(
    name: str,
    signature: inspect.Signature,
    arguments: tuple[object, ...],
    keywords: dict[str, object],
) -> dict[str, Any]:
    """Return the value of each parameter in a call, including defaults."""
    try:
        bound = signature.bind(*arguments, **keywords)
    except TypeError as error:
        raise TypeError(f"{name}() {error}") from None
    bound.apply_defaults()
    return bound.arguments


def taking_options(function: Callable[..., Result]) -> Callable[..., Result]:
    """Return the function that users call, with each option of its groups as a documented keyword.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Seeds:
    ...     seed: int = option(0, Whole(0), "Random seed.")
    >>> @taking_options
    ... def draw(number: int, *, seeds: Seeds = select(Seeds)):
    ...     return number, seeds
    >>> draw(2, seed=3), inspect.signature(draw)
    ((2, Seeds(seed=3)), <Signature (number: 'int', *, seed: 'int' = 0)>)
    """
    declared = inspect.signature(function)
    groups = groups_of(declared)
    signature = declared.replace(parameters=list(keywords_of(declared, groups)))

    @functools.wraps(function)
    def with_keywords(*arguments: object, **keywords: object) -> Result:
        values = values_of_call(function.__name__, signature, arguments, keywords)
        for name, selection in groups.items():
            values[name] = selection.group(**{key: values.pop(key) for key in selection.names})
        return function(**values)

    with_keywords.__doc__ = documented(inspect.getdoc(function) or "", groups)
    return with_signature(with_keywords, signature)


def documented(text: str, groups: dict[str, Selection]) -> str:
    """Return a docstring in which the entries of options replace the entry of each group."""
    present = dict(_entries(text))
    for name, selection in groups.items():
        entries = dict(_entries(inspect.getdoc(selection.group) or ""))
        shared = dict.fromkeys(
            entries[key] for key in selection.names if key in entries and key not in present
        )
        if name in present:
            text = text.replace(f"\n{present[name]}", "\n" + "".join(shared), 1)
    return text


def _entries(text: str) -> Iterator[tuple[str, str]]:
    _, _, section = text.partition("\nParameters\n----------\n")
    entry: list[str] = []
    for line in [*section.partition("\n\n")[0].splitlines(), "end"]:
        if entry and not line.startswith(" "):
            for name in entry[0].partition(" : ")[0].split(", "):
                yield name, "".join(f"{part}\n" for part in entry)
            entry = []
        entry.append(line)
