"""Conditions on results, such as ``krippendorff_alpha.ci_low>=0.6``, which end a command with 3."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import typer

from iaa_jax._checks import is_number
from iaa_jax._errors import suggestion
from iaa_jax.catalog import NAMES, resolve_name
from iaa_jax.cli.exits import NOT_MET, complain

if TYPE_CHECKING:
    import xarray as xr

FIGURES = ("estimate", "ci_low", "ci_high", "standard_error", "observed", "expected")
"""What every coefficient has."""

_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
_FORM = re.compile(
    r"\s*(?P<name>[A-Za-z_0-9]+)(?P<rows>(?:\[[^\[\]]*\])*)(?:\.(?P<figure>[a-z_]+))?"
    r"\s*(?P<sign>>=|<=|>|<)\s*(?P<bound>\S+)\s*"
)
_NAMED = 3
"""Rows that miss a requirement and are named."""


@dataclass(frozen=True)
class Requirement:
    """A coefficient or another figure, rows of it, an operator and a bound."""

    name: str
    rows: tuple[str, ...]
    figure: str
    operator: str
    bound: float

    def __str__(self) -> str:
        rows = "".join(f"[{row}]" for row in self.rows)
        figure = f".{self.figure}" if self.figure else ""
        return f"{self.name}{rows}{figure} {self.operator} {self.bound:g}"

    def met_by(self, value: float) -> bool:
        """Whether a figure meets it; NaN compares false, so that what is undefined does not."""
        return _OPERATORS[self.operator](value, self.bound)


def parse(text: str) -> Requirement:
    """Read a requirement.

    Examples
    --------
    >>> str(parse("krippendorff_alpha.ci_low>=.6")), str(parse("accuracy[gpt-4] > 0.8"))
    ('krippendorff_alpha.ci_low >= 0.6', 'accuracy[gpt-4] > 0.8')
    """
    form = _FORM.fullmatch(text)
    if form is None:
        _refuse(
            f"{text!r} is not of the form 'figure>=number', such as 'scott_pi.ci_low>=0.6' or "
            "'accuracy[model]>=0.8' (operators: >= > <= <)"
        )
    try:
        bound = float(form["bound"])
    except ValueError:
        bound = math.nan
    if not math.isfinite(bound):
        _refuse(f"{text!r}: {form['bound']!r} is not a number")
    rows = tuple(re.findall(r"\[([^\[\]]*)\]", form["rows"]))
    figure = "" if form["figure"] == "estimate" else form["figure"] or ""
    return Requirement(form["name"], rows, figure, form["sign"], bound)


def coefficients_required(
    requirements: Sequence[Requirement], coefficients: Sequence[str] | None
) -> list[str]:
    """The coefficients that are required; ``coefficients`` are those asked for, None for all."""
    for requirement in requirements:
        name, text = requirement.name, str(requirement)
        if name not in NAMES:
            hint = suggestion(name, NAMES)
            _refuse(f"{text!r}: no coefficient {name!r}{hint} ('iaa coefficients' lists them)")
        if resolve_name(name).per_label:
            _refuse(
                f"{text!r}: {name} has one figure per label, and a requirement takes a single one"
            )
        if requirement.figure and requirement.figure not in FIGURES:
            _refuse(
                f"{text!r}: no figure {requirement.figure!r}; the figures are {', '.join(FIGURES)}"
            )
        if coefficients is not None and NAMES[name] not in {NAMES[each] for each in coefficients}:
            _refuse(f"{text!r}: {name} is not among --coefficients")
    return [requirement.name for requirement in requirements]


def check_decided(requirements: Sequence[Requirement], results: Mapping[str, xr.Dataset]) -> None:
    """Refuse requirements of figures that depend on a level which nobody gave."""
    if not requirements:
        return
    from iaa_jax.measure.requests.level import refuse_open

    for requirement in requirements:
        name = requirement.name
        row = resolve_name(name) if name in NAMES else None
        if row is not None and not (row.levels or row.takes_weights):
            continue
        for result in results.values():
            if _cells_of(requirement, result):
                refuse_open(result.attrs, f"--require '{requirement}'")
                break


def enforce(requirements: Sequence[Requirement], results: Mapping[str, xr.Dataset]) -> None:
    """End with `NOT_MET`, and a sentence for each requirement that is not met."""
    failed = [sentence for each in requirements for sentence in _unmet(each, results)]
    for sentence in failed:
        complain(sentence)
    if failed:
        raise typer.Exit(NOT_MET)


class _Cell(NamedTuple):
    """A figure, the row that it stands in, and why it is undefined."""

    value: float
    row: str
    reason: str


def _unmet(requirement: Requirement, results: Mapping[str, xr.Dataset]) -> Iterator[str]:
    """A sentence if it is not met: a figure with several rows has to meet it in every one."""
    cells = _cells(requirement, results)
    missed = [cell for cell in cells if not requirement.met_by(cell.value)]
    if not missed:
        return
    several = len(cells) > 1
    parts = []
    for cell in missed[:_NAMED]:
        why = f"it is {cell.value:.6g}"
        if math.isnan(cell.value):
            why = f"it is undefined ({cell.reason})" if cell.reason else "there is no such figure"
        parts.append(f"{why} for {cell.row}" if several else why)
    more = f", and {len(missed) - _NAMED} more" if len(missed) > _NAMED else ""
    yield f"required {requirement}, but {', '.join(parts)}{more}"


def _cells(requirement: Requirement, results: Mapping[str, xr.Dataset]) -> list[_Cell]:
    """The figures that a requirement is about."""
    found = [cells for result in results.values() if (cells := _cells_of(requirement, result))]
    if not found:
        known = sorted({name for result in results.values() for name in _known(result)})
        hint = suggestion(requirement.name, known) or f"; the figures are {', '.join(known)}"
        _refuse(f"'{requirement}': these results have no such figure{hint}")
    return found[0]


def _cells_of(requirement: Requirement, result: xr.Dataset) -> list[_Cell]:
    array = _array(requirement, result)
    if array is not None:
        return list(_rows_of(_selected(requirement, array), result))
    value = result.attrs.get(requirement.name)
    if not is_number(value) or requirement.rows or requirement.figure:
        return []
    return [_Cell(float(value), "", "")]


def _array(requirement: Requirement, result: xr.Dataset) -> xr.DataArray | None:
    """A figure of a coefficient, or a variable."""
    name, figure = requirement.name, requirement.figure
    if name in NAMES and "coefficient" in result.dims:
        names = result["coefficient"].values.tolist()
        same = [known for known in names if NAMES.get(known) == NAMES[name]]
        variable = figure or "estimate"
        if same and variable in result:
            return result[variable].sel(coefficient=name if name in same else same[0])
    variable = f"{name}_{figure}" if figure else name
    return result[variable] if variable in _numbers(result) else None


def _known(result: xr.Dataset) -> list[str]:
    """Figures by which something can be required."""
    of_attrs = [str(name) for name, value in result.attrs.items() if type(value) is float]
    return [*_numbers(result), *of_attrs]


def _numbers(result: xr.Dataset) -> list[str]:
    return [str(name) for name, array in result.data_vars.items() if array.dtype.kind in "iufb"]


def _selected(requirement: Requirement, array: xr.DataArray) -> xr.DataArray:
    """The rows that are named."""
    for row in requirement.rows:
        for dim in array.dims:
            names = [str(value) for value in array[dim].values.tolist()]
            if row in names:
                array = array.isel({dim: names.index(row)})
                break
        else:
            names = [str(value) for dim in array.dims for value in array[dim].values.tolist()]
            _refuse(f"'{requirement}': there is no row {row!r}; rows are {', '.join(names[:12])}")
    return array


def _rows_of(array: xr.DataArray, result: xr.Dataset) -> Iterator[_Cell]:
    reason = ""
    along = result["reason"].dims if "reason" in result else ()
    if "coefficient" in array.coords and array.ndim == 0 and along == ("coefficient",):
        reason = str(result["reason"].sel(coefficient=array["coefficient"]).item())
    for cell in array.stack(row=array.dims) if array.dims else [array]:
        names = [str(cell[dim].item()) for dim in array.dims if dim in cell.coords]
        yield _Cell(float(cell), ", ".join(names), reason)


def _refuse(message: str) -> NoReturn:
    raise typer.BadParameter(message, param_hint="--require")
