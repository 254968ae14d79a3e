"""Coefficients that users define: their signatures and their results are checked here."""

from __future__ import annotations

import inspect
from functools import lru_cache

import numpy as np

from iaa_jax._errors import IaaError
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.kernels.kernel import KernelFunction
from iaa_jax.kernels.namespace import Array


class UserKernel:
    """A user's function, which is called with the keywords that it takes."""

    def __init__(self, function: KernelFunction) -> None:
        self.function = function
        self.name = getattr(function, "__name__", "the coefficient")
        parameters = inspect.signature(function).parameters
        open_ended = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
        self.known = None if open_ended else set(parameters)
        self.takes_slots = "annotator_of" in parameters
        if self.known is not None and "item_weight" not in self.known:
            raise IaaError(
                f"{self.name} does not have the kernels' signature: it must take mass (or value) "
                "and the keyword item_weight, as those in iaa_jax.kernels do"
            )

    def __call__(self, data: Array, **options: Array) -> Agreement:
        """Call the function, and raise an error unless its estimate is a single number."""
        keywords = {
            name: value
            for name, value in options.items()
            if self.known is None or name in self.known
        }
        result: Agreement = self.function(data, **keywords)
        estimate = getattr(result, "estimate", None)
        if estimate is None or np.shape(estimate) != ():
            raise IaaError(
                f"{self.name} must return an iaa_jax.kernels.Agreement whose estimate is a single "
                "number"
            )
        return result


@lru_cache(maxsize=64)
def user_kernel(function: KernelFunction) -> UserKernel:
    """Return the wrapper of a function, cached because it is part of the compilation key."""
    return UserKernel(function)
