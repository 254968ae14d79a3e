"""Conditions on results, such as ``krippendorff_alpha.ci_low>=0.6``."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

import typer

from iaa_jax.catalog import NAMES, resolve_name

if TYPE_CHECKING:
    import xarray as xr

FIGURES = ("estimate", "ci_low", "ci_high", "standard_error", "observed", "expected")

_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
_FORM = re.compile(r"\s*([a-z_0-9]+)(?:\.([a-z_]+))?\s*(>=|<=|>|<)\s*(\S+)\s*")


@dataclass(frozen=True)
class Requirement:
    """A figure of a coefficient, an operator and a bound."""

    coefficient: str
    figure: str
    operator: str
    bound: float

    def __str__(self) -> str:
        figure = "" if self.figure == "estimate" else f".{self.figure}"
        return f"{self.coefficient}{figure} {self.operator} {self.bound:g}"


def parse(text: str, coefficients: Sequence[str] | None) -> Requirement:
    """Read a requirement; ``coefficients`` are those to be measured, None for all that apply.

    Examples
    --------
    >>> str(parse("krippendorff_alpha.ci_low>=.6", None))
    'krippendorff_alpha.ci_low >= 0.6'
    """
    form = _FORM.fullmatch(text)
    if form is None:
        _refuse(f"{text!r} is not of the form 'coefficient>=number' (operators: >= > <= <)")
    name, figure, sign, bound_text = form.groups()
    figure = figure or "estimate"
    if name not in NAMES:
        _refuse(f"{text!r}: no coefficient {name!r}; the coefficients are {', '.join(NAMES)}")
    if resolve_name(name).per_label:
        _refuse(f"{text!r}: {name} has one figure per label, and a requirement takes a single one")
    if figure not in FIGURES:
        _refuse(f"{text!r}: no figure {figure!r}; the figures are {', '.join(FIGURES)}")
    if coefficients is not None and NAMES[name] not in {
        NAMES[coefficient] for coefficient in coefficients
    }:
        _refuse(f"{text!r}: {name} is not among --coefficients")
    try:
        bound = float(bound_text)
    except ValueError:
        bound = math.nan
    if not math.isfinite(bound):
        _refuse(f"{text!r}: {bound_text!r} is not a number")
    return Requirement(name, figure, sign, bound)


def unmet(requirements: Sequence[Requirement], result: xr.Dataset) -> list[str]:
    """What is not met, one sentence each; every coefficient required is in the result."""
    failed = []
    for requirement in requirements:
        row = _row_of(requirement.coefficient, result)
        value = float(row[requirement.figure])
        # NaN compares false: what is undefined meets no requirement
        if _OPERATORS[requirement.operator](value, requirement.bound):
            continue
        why = f"it is {value:.6g}"
        if math.isnan(value):
            reason = str(row["reason"].item())
            why = f"it is undefined ({reason})" if reason else "there is no such figure"
        failed.append(f"required {requirement}, but {why}")
    return failed


def _row_of(name: str, result: xr.Dataset) -> xr.Dataset:
    """The row of that name, or of another name for the same coefficient."""
    names = result["coefficient"].values.tolist()
    same = [known for known in names if NAMES.get(known) == NAMES[name]]
    return result.sel(coefficient=name if name in same else same[0])


def _refuse(message: str) -> NoReturn:
    raise typer.BadParameter(message, param_hint="--require")
