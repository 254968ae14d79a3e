"""The decorator `public`: it turns groups of options into keywords, and checks the ratings."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Protocol, Self, TypeVar, get_type_hints, runtime_checkable

from iaa_jax._checks import check_kind, check_progress
from iaa_jax._options import (
    OneOf as OneOf,
    Option as Option,
    Selection as Selection,
    Share as Share,
    Values as Values,
    Whole as Whole,
    check_values as check_values,
    documented,
    groups_of as groups_of,
    keywords_of,
    option as option,
    options_of as options_of,
    select as select,
    values_of_call,
    with_signature as with_signature,
)
from iaa_jax.data.as_ratings import span_ratings

Result = TypeVar("Result")


@runtime_checkable
class DependsOnRatings(Protocol):
    """A group of options whose defaults depend on the ratings."""

    def for_ratings(self, ratings: object) -> Self:
        """Return the group with the defaults for these ratings."""


def public(function: Callable[..., Result]) -> Callable[..., Result]:
    """Make a function public: its groups of options become keywords, one for each option.

    Within the package, a caller can pass a whole group by the name of its parameter. Options of the
    group that the function does not declare are then ignored.

    Examples
    --------
    >>> from iaa_jax.measure.options.interval_options import IntervalOptions
    >>> @public
    ... def draw(ratings: object, *, options: IntervalOptions = select(IntervalOptions, "seed")):
    ...     return options.seed
    >>> draw([], seed=3), draw([], options=IntervalOptions(seed=4)), inspect.signature(draw)
    (3, 4, <Signature (ratings: 'object', *, seed: 'int' = 0)>)
    """
    grouped = inspect.signature(function)
    groups, hints = groups_of(grouped), _hints(function)
    opened = [parameter.name for parameter in grouped.parameters.values() if _is_opened(parameter)]
    rated: Any = inspect.unwrap(function).__globals__[_RATED] if opened else None
    by_ratings = {
        name
        for name, selection in groups.items()
        if issubclass(selection.group, DependsOnRatings) and "sampling" in selection.names
    }
    computed = [name for name, selection in groups.items() if hasattr(selection.group, "computing")]
    parameters = [
        parameter.replace(annotation="xr.Dataset") if _is_opened(parameter) else parameter
        for parameter in keywords_of(grouped, groups)
    ]
    signature = grouped.replace(parameters=parameters)

    @functools.wraps(function)
    def with_keywords(*arguments: object, **keywords: object) -> Result:
        groups_given = {
            name: keywords.pop(name)
            for name, selection in groups.items()
            if isinstance(keywords.get(name), selection.group)
        }
        values = values_of_call(function.__name__, signature, arguments, keywords)
        for name in hints:
            if name in values:
                check_kind(name, values[name], hints[name])
        check_progress(values.get("progress"))
        ratings = _with_ratings(values, rated_alone=not getattr(function, _KEEPS_EMPTY, False))
        for name, selection in groups.items():
            options = {key: values.pop(key) for key in selection.names}
            if name in groups_given:
                options = {key: getattr(groups_given[name], key) for key in options}
            group = selection.group(**options)
            if name in by_ratings:
                group = group.for_ratings(ratings)
            values[name] = group
        if hasattr(function, "requirements"):
            function.requirements.check(values)
        computing = [values[name].computing for name in computed]
        for name in opened:
            if not isinstance(values[name], rated):  # the package also passes `Rated`
                values[name] = rated.of(values[name], *computing)
        return function(**values)

    with_keywords.__doc__ = documented(inspect.getdoc(function) or "", groups)
    return with_signature(with_keywords, signature)


def keeps_empty_annotators(function: Callable[..., Result]) -> Callable[..., Result]:
    """Mark a function whose result keeps annotators without ratings."""
    setattr(function, _KEEPS_EMPTY, True)
    return function


_KEEPS_EMPTY = "keeps_empty_annotators"


def _with_ratings(values: dict[str, Any], *, rated_alone: bool) -> object:
    """Prepare the ratings among the arguments, and return the first argument as a Dataset.

    With ``rated_alone``, annotators without ratings are left out.
    """
    labelled = {name: value for name, value in values.items() if hasattr(value, "attrs")}
    if labelled:
        from iaa_jax.data.select import (
            ratings_to_measure,  # loads xarray, which the ratings have already loaded
        )

        prepare = ratings_to_measure if rated_alone else span_ratings
        values.update({name: prepare(value) for name, value in labelled.items()})
    first = next(iter(values.values()), None)
    return getattr(first, "dataset", first)


_RATED = "Rated"


def _is_opened(parameter: inspect.Parameter) -> bool:
    return bool(parameter.annotation == _RATED)


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    unwrapped = inspect.unwrap(function)
    plain = {
        name: hint
        for name, hint in unwrapped.__annotations__.items()
        if name != "return" and hint != _RATED and "xr." not in str(hint)
    }
    return get_type_hints(SimpleNamespace(__annotations__=plain), unwrapped.__globals__)
