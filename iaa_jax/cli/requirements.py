"""Requirements on results, such as ``krippendorff_alpha>=0.667``: met, failed or undecided.

A requirement is about a figure, which is a coefficient or another value of a result. If it names
only the figure, the interval decides: the requirement is met if the whole interval meets the bound,
failed if no part of it does, and otherwise undecided. A figure without an interval, or a named part
of a figure, such as ``krippendorff_alpha.ci_low``, is compared with the bound directly.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import typer

from iaa_jax._checks import is_number
from iaa_jax._errors import suggestion
from iaa_jax.catalog import NAMES, resolve_name
from iaa_jax.cli.exits import NOT_MET, UNDECIDED, complain

if TYPE_CHECKING:
    import xarray as xr

FIGURES = ("estimate", "ci_low", "ci_high", "standard_error", "observed", "expected")
"""Figures of every coefficient."""

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
_ANSWERS = ("failed", "undecided", "met")
"""Answers, the worst first; the worst answer of several rows counts."""

_NAMED = 100
"""Maximum number of rows that a sentence names."""


@dataclass(frozen=True)
class Requirement:
    """A coefficient or another figure, its rows, an operator and a bound."""

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
        """Tell whether a figure meets the requirement; NaN does not."""
        return _OPERATORS[self.operator](value, self.bound)

    def answer(self, cell: Cell) -> str:
        """Return "met", "failed" or "undecided" for a row, by its interval if it has one."""
        if cell.ends is None:
            undefined = math.isnan(cell.value) and not self.figure
            return "undecided" if undefined else ("met" if self.met_by(cell.value) else "failed")
        if cell.side is not None:  # the analysis has tested this bound itself
            agrees = cell.side if self.operator in (">", ">=") else -cell.side
            return ("failed", "undecided", "met")[agrees + 1]
        if any(map(math.isnan, (cell.value, *cell.ends))) or cell.beyond:
            return "undecided"
        both = {self.met_by(end) for end in cell.ends}
        return "undecided" if len(both) > 1 else ("met" if both == {True} else "failed")


def parse(text: str) -> Requirement:
    """Parse a requirement.

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
    return Requirement(form["name"], rows, form["figure"] or "", form["sign"], bound)


def coefficients_required(
    requirements: Sequence[Requirement], coefficients: Sequence[str] | None
) -> list[str]:
    """Return the required coefficients; refuse any that is not in ``coefficients``, if given."""
    for requirement in requirements:
        name, text = requirement.name, str(requirement)
        if name not in NAMES:
            hint = suggestion(name, NAMES)
            _refuse(f"{text!r}: no coefficient {name!r}{hint} ('iaa coefficients' lists them)")
        if resolve_name(name).per_label:
            _refuse(
                f"{text!r}: {name} has one estimate per label, and a requirement takes a single one"
            )
        if requirement.figure and requirement.figure not in FIGURES:
            _refuse(
                f"{text!r}: no figure {requirement.figure!r}; the figures are {', '.join(FIGURES)}"
            )
        if coefficients is not None and NAMES[name] not in {NAMES[each] for each in coefficients}:
            _refuse(f"{text!r}: {name} is not among --coefficients")
    return [requirement.name for requirement in requirements]


def check_decided(requirements: Sequence[Requirement], results: Mapping[str, xr.Dataset]) -> None:
    """Refuse a requirement if its figure depends on an unknown level of measurement."""
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
    """Print a sentence for each requirement.

    The command ends with `NOT_MET` if a requirement failed, and otherwise with `UNDECIDED` if a
    requirement is undecided.
    """
    answered = verdicts(requirements, results)
    for _, sentence in answered:
        complain(sentence)
    answers = [answer for answer, _ in answered]
    if "failed" in answers:
        raise typer.Exit(NOT_MET)
    if "undecided" in answers:
        raise typer.Exit(UNDECIDED)


def verdicts(
    requirements: Sequence[Requirement], results: Mapping[str, xr.Dataset]
) -> list[tuple[str, str]]:
    """Return "met", "failed" or "undecided" for each requirement, and a sentence on it.

    If rows of a requirement have different answers, each answer has a sentence of its own.
    """
    answered = []
    for requirement in requirements:
        cells = _cells(requirement, results)
        answers = [requirement.answer(cell) for cell in cells]
        for answer in _ANSWERS:
            behind = [cell for cell, each in zip(cells, answers, strict=True) if each == answer]
            if behind:
                sentence = _sentence(requirement, answer, behind, several=len(cells) > 1)
                answered.append((answer, sentence))
    return answered


class _NoRowError(Exception):
    """A figure lacks a required row."""


class Cell(NamedTuple):
    """A figure in one row of a table, with what decides a requirement on it.

    ``reason`` is why the figure is undefined. ``ends`` are the ends of its interval if the interval
    decides, and None if the figure itself does. ``items`` is the number of items behind it.

    The other fields are about figures of `iaa_jax.watch` (``watched``). ``side`` is 1 if the figure
    was shown to be above the bound, and -1 if below. ``fallen`` is the last arrival (a date, batch
    or number) before the figure fell below the bound. ``wanted`` is the number of items that would
    decide the requirement.
    """

    value: float
    row: str
    reason: str
    ends: tuple[float, float] | None = None
    items: float = math.nan
    watched: bool = False
    side: int | None = None
    fallen: str = ""
    wanted: float = math.nan

    @property
    def beyond(self) -> bool:
        """Whether the figure lies outside its interval, which then decides nothing."""
        low, high = self.ends or (math.nan, math.nan)
        return low > high or self.value < low or self.value > high


def _sentence(
    requirement: Requirement, answer: str, cells: Sequence[Cell], *, several: bool
) -> str:
    parts = []
    for cell in cells[:_NAMED]:
        reason = _why(requirement, cell, answer)
        parts.append(f"{reason} for {cell.row}" if several else reason)
    more = f", and {len(cells) - _NAMED} more" if len(cells) > _NAMED else ""
    link = {
        "met": ": met,",
        "failed": ", but",
        "undecided": ": undecided,",
    }[answer]
    return f"required {requirement}{link} {', '.join(parts)}{more}"


def _why(requirement: Requirement, cell: Cell, answer: str) -> str:
    if math.isnan(cell.value):
        return f"it is undefined ({cell.reason})" if cell.reason else "there is no such figure"
    if cell.ends is None:
        return f"it is {cell.value:.6g}"
    low, high = cell.ends
    if math.isnan(low) or math.isnan(high):
        part = f"{requirement.name}{''.join(f'[{row}]' for row in requirement.rows)}.estimate"
        return f"it is {cell.value:.6g} without an interval ('{part}' needs none)"
    with_interval = f"it is {cell.value:.6g} ({low:.4g} to {high:.4g})"
    if cell.fallen and cell.side == -1:
        return f"it has fallen below after {cell.fallen} ({cell.value:.6g} over all items)"
    if cell.beyond:
        return f"it is {cell.value:.6g}, outside the interval that held before: agreement changed"
    if answer != "undecided" or math.isnan(cell.items):
        return with_interval
    return f"{with_interval}{_items_that_decide(requirement, cell)}"


def _items_that_decide(requirement: Requirement, cell: Cell) -> str:
    """Return, as words, how many items would decide a requirement if the figure stayed the same.

    For a figure of `iaa_jax.watch`, the result is "" if the number is unknown.
    """
    from iaa_jax.kernels.intervals import items_to_reach

    assert cell.ends is not None
    wanted = items_to_reach(requirement.bound, cell.value, cell.ends, cell.items)
    if cell.watched and (math.isnan(cell.wanted) or cell.side is None):
        return ""
    if math.isnan(wanted):
        return ": more than thirty times as many items would be needed if the figure stays the same"
    further = []
    if not cell.watched:
        if requirement.operator in (">", ">="):
            plan = f"'iaa plan --null {requirement.bound:g}'"
            further.append(f"{plan} allows for a figure too high by chance")
        further.append("use 'iaa watch' to look again")
    now = f"({cell.items:,.0f} now)"
    decide = f"about {wanted:,.0f} items {now} would decide it if the figure stays the same"
    return f": {'; '.join([decide, *further])}"


def _cells(requirement: Requirement, results: Mapping[str, xr.Dataset]) -> list[Cell]:
    """Return the figures that a requirement is about; refuse it if there are none."""
    cells_of_results = [
        cells for result in results.values() if (cells := _cells_of(requirement, result))
    ]
    if requirement.rows and not cells_of_results:
        _refuse_rows(requirement, results)
    if not cells_of_results:
        known = sorted({name for result in results.values() for name in _known(result)})
        hint = suggestion(requirement.name, known) or f"; the figures are {', '.join(known)}"
        _refuse(f"'{requirement}': these results have no such figure{hint}")
    return cells_of_results[0]


def _refuse_rows(requirement: Requirement, results: Mapping[str, xr.Dataset]) -> None:
    """Refuse the rows of a requirement, if the results have its figure, but not these rows."""
    arrays = [_array(requirement, result) for result in results.values()]
    known = {
        str(value): None
        for array in arrays
        if array is not None
        for dim in array.dims
        for value in array[dim].values.tolist()
    }
    row = next((row for row in requirement.rows if row not in known), requirement.rows[0])
    way = f"rows are {', '.join([*known][:12])}" if known else f"leave out [{row}]"
    if any(array is not None for array in arrays):
        _refuse(f"'{requirement}': there is no row {row!r}; {way}")


def _cells_of(requirement: Requirement, result: xr.Dataset) -> list[Cell]:
    array = _array(requirement, result)
    if array is not None:
        ends = [_ends_of(requirement, array, result, end) for end in ("low", "high")]
        decide = not requirement.figure and all(each is not None for each in ends)
        try:
            return list(_rows_of(requirement, array, result, ends if decide else None))
        except _NoRowError:
            return []
    value = result.attrs.get(requirement.name)
    if not is_number(value) or requirement.rows or requirement.figure not in ("", "estimate"):
        return []
    return [Cell(float(value), "", "")]


def _array(requirement: Requirement, result: xr.Dataset) -> xr.DataArray | None:
    """Return the values of a coefficient's figure or of a variable; None if there is none."""
    name, figure = requirement.name, requirement.figure
    if name in NAMES and "coefficient" in result.dims:
        names = result["coefficient"].values.tolist()
        same = [known for known in names if NAMES.get(known) == NAMES[name]]
        variable = figure or "estimate"
        if same and variable in result:
            return result[variable].sel(coefficient=name if name in same else same[0])
    latest = str(result.attrs.get("latest", ""))
    if latest and name in NAMES and NAMES[name] == NAMES.get(str(result.attrs["coefficient"])):
        variable = figure or "estimate"
        return result[variable].isel({latest: -1}, drop=True) if variable in result else None
    variable = name if figure in ("", "estimate") else f"{name}_{figure}"
    return result[variable] if variable in _numbers(result) else None


def _known(result: xr.Dataset) -> list[str]:
    of_attrs = [str(name) for name, value in result.attrs.items() if type(value) is float]
    return [*_numbers(result), *of_attrs]


def _numbers(result: xr.Dataset) -> list[str]:
    return [str(name) for name, array in result.data_vars.items() if array.dtype.kind in "iufb"]


def _picked(requirement: Requirement, array: xr.DataArray) -> xr.DataArray:
    for row in requirement.rows:
        for dim in array.dims:
            names = [str(value) for value in array[dim].values.tolist()]
            if row in names:
                array = array.isel({dim: names.index(row)})
                break
        else:
            raise _NoRowError
    return array


def _ends_of(
    requirement: Requirement, array: xr.DataArray, result: xr.Dataset, end: str
) -> xr.DataArray | None:
    """Return an end of a figure's interval: NaN if it was not computed, None if there is none."""
    of_end = _array(replace(requirement, figure=f"ci_{end}"), result)
    is_coefficient = requirement.name in NAMES and "coefficient" in array.coords
    return array * math.nan if of_end is None and is_coefficient else of_end


def _rows_of(
    requirement: Requirement,
    array: xr.DataArray,
    result: xr.Dataset,
    ends: Sequence[xr.DataArray | None] | None,
) -> Iterator[Cell]:
    attrs, pairable = result.attrs, result.attrs.get("pairable_items", math.nan)
    items = float(pairable) if not array.dims and is_number(pairable) else math.nan
    array = _picked(requirement, array)
    reason = ""
    if "coefficient" in array.coords and array.ndim == 0 and "reason" in result:
        reasons = result["reason"].sel(coefficient=array["coefficient"].item())
        reason = str(_picked(requirement, reasons).item())
    sides = [_picked(requirement, each) for each in ends or () if each is not None]
    watched, side = "latest" in attrs and ends is not None, None
    if watched:
        items = float(result["items"][-1])
        side = int(attrs["side"]) if attrs["bar"] == requirement.bound else None
    fallen = str(attrs.get("fallen_since", ""))
    flat = [[*each.stack(row=array.dims)] if array.dims else [each] for each in (array, *sides)]
    for cell, *ends_of_cell in zip(*flat, strict=True):
        names = [str(cell[dim].item()) for dim in array.dims if dim in cell.coords]
        between = (float(ends_of_cell[0]), float(ends_of_cell[1])) if ends_of_cell else None
        yield Cell(
            float(cell),
            ", ".join(names),
            reason,
            between,
            items,
            watched,
            side,
            fallen,
            float(attrs.get("items_that_decide", math.nan)),
        )


def _refuse(message: str) -> NoReturn:
    raise typer.BadParameter(message, param_hint="--require")
