"""Join groups of options, which are functions, into one function that takes all their options.

A group takes options and returns one value made from them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from itertools import chain
from typing import Any, TypeVar

from iaa_jax.measure.options.declared import with_signature

Result = TypeVar("Result")

_KEYWORD = inspect.Parameter.KEYWORD_ONLY


def joined(
    function: Callable[..., Result], *groups: Callable[..., Any], only: tuple[str, ...] = ()
) -> Callable[..., Result]:
    """Return a function that takes the options of all groups, and then ``function``'s own options.

    It calls ``function`` with the value of each group as the first arguments. ``only`` limits
    ``function``'s own options to those named.
    """
    of_group = [inspect.signature(group, eval_str=True).parameters for group in groups]
    own_options = list(inspect.signature(function, eval_str=True).parameters.values())[
        len(groups) :
    ]
    own_options = [parameter for parameter in own_options if not only or parameter.name in only]

    def with_options(**values: object) -> Result:
        arguments = [
            group(**{name: values.pop(name) for name in parameters})
            for group, parameters in zip(groups, of_group, strict=True)
        ]
        return function(*arguments, **values)

    all_options = [
        *chain.from_iterable(parameters.values() for parameters in of_group),
        *own_options,
    ]
    parameters = [parameter.replace(kind=_KEYWORD) for parameter in all_options]
    return with_signature(with_options, inspect.Signature(parameters))
