"""Help of commands: ``--help`` shows common options on one screen, ``--help-all`` all options."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Iterable, Sequence
from shutil import get_terminal_size
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

NAMES = ("-h", "--help")
ALL = "--help-all"


def _show_all(context: typer.Context, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        context.meta[ALL] = True
        typer.echo(context.get_help())
        raise typer.Exit


_SHOW_ALL = typer.Option(
    ALL,
    metavar="",
    help="Show all options and exit.",
    is_eager=True,
    callback=_show_all,
    hidden=True,
)
HELP_ALL = inspect.Parameter(
    "help_all",
    inspect.Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[bool, _SHOW_ALL],
)
"""The flag ``--help-all``, which the last line of the first screen mentions."""


def with_help(
    parameters: Iterable[inspect.Parameter], common: Sequence[str], rare: Sequence[str]
) -> list[inspect.Parameter]:
    """Return a command's parameters and ``--help-all``; the first screen omits those in ``rare``.

    It shows those in ``common``, whether or not their declarations say so.
    """
    by_name = {parameter.name: parameter for parameter in parameters}
    for name in (*common, *rare):
        kind = by_name[name].annotation
        declared = copy.copy(kind.__metadata__[0])
        declared.hidden = name in rare
        by_name[name] = by_name[name].replace(annotation=Annotated[kind.__origin__, declared])
    return [*by_name.values(), HELP_ALL]


class Command(TyperCommand):
    """A command whose hidden options are hidden only on the first screen of its help."""

    def __init__(self, *arguments: Any, **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self.rare = {param.name for param in self.params if vars(param).get("hidden")}
        for param in self.params:
            vars(param)["hidden"] = False
            if param.default is None:
                vars(param)["show_default"] = False  # older versions of typer show it

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the options; refuse an option that is given twice, so that no value is lost."""
        _, _, order = self.make_parser(ctx).parse_args(args=[*args])
        for param in order:
            takes_one = param.param_type_name == "option" and not param.multiple
            if takes_one and not getattr(param, "is_flag", False) and order.count(param) > 1:
                option, form = param.opts[-1], param.metavar or ""
                several = f"give all values at once, with commas: {option} {form}"
                how = several if "," in form else "name one value"
                raise typer.BadParameter(f"it is given twice: {how}", ctx=ctx, param_hint=option)
        arguments_left: list[str] = super().parse_args(ctx, args)
        return arguments_left

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the first screen or, on request, all options, and the examples at the end."""
        in_full = ctx.meta.get(ALL, False)
        shown = copy.copy(self)
        shown.epilog = None  # different versions of typer break its lines differently
        if not in_full:
            shown.params = [self._on_first_screen(param) for param in self.params]
        TyperCommand.format_help(shown, ctx, formatter)
        formatter.width, formatter.current_indent = get_terminal_size().columns, 1
        with formatter.section("Examples"):
            for example in (self.epilog or "").splitlines():
                formatter.write_text(example)
        options = [param.name for param in self.params if param.param_type_name == "option"]
        hidden_options = len(self.rare.intersection(options) - {HELP_ALL.name})
        if hidden_options and not in_full:
            formatter.write_paragraph()
            formatter.write_text(f"{hidden_options} more options: {ctx.command_path} {ALL}")

    def _on_first_screen(self, param: Any) -> Any:
        brief = copy.copy(param)
        brief.hidden = param.name in self.rare
        brief.rich_help_panel = None
        long = [name for name in param.opts if name.startswith("--")]
        brief.opts = [name for name in param.opts if name not in long[1:]]
        return brief
