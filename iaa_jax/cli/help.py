"""Help of commands: ``--help`` shows common options on one screen, ``--help-all`` all options.

Whether an option is common is part of its declaration, by `iaa_jax.cli.options.option` or in its
group.
"""

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
"""Note in the last line of the first screen."""


def with_help(
    parameters: Iterable[inspect.Parameter], common: Sequence[str], rare: Sequence[str]
) -> list[inspect.Parameter]:
    """Add the flag ``--help-all``, and set which options are common or rare in this command."""
    every = {parameter.name: parameter for parameter in parameters}
    for name in (*common, *rare):
        kind = every[name].annotation
        declared = copy.copy(kind.__metadata__[0])
        declared.hidden = name in rare
        every[name] = every[name].replace(annotation=Annotated[kind.__origin__, declared])
    return [*every.values(), HELP_ALL]


class Command(TyperCommand):
    """A command that hides options declared as hidden on the first screen of its help only.

    Completion, messages and ``--help-all`` include all of them.
    """

    def __init__(self, *arguments: Any, **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self.rare = {param.name for param in self.params if vars(param).get("hidden")}
        for param in self.params:
            vars(param)["hidden"] = False
            if param.default is None:
                vars(param)["show_default"] = False  # older versions of typer show it

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the options; refuse an option given twice rather than drop a value."""
        _, _, order = self.make_parser(ctx).parse_args(args=[*args])
        for param in order:
            takes_one = param.param_type_name == "option" and not param.multiple
            if takes_one and not getattr(param, "is_flag", False) and order.count(param) > 1:
                raise typer.BadParameter(
                    "it is given twice: name one value", ctx=ctx, param_hint=param.opts[-1]
                )
        rest: list[str] = super().parse_args(ctx, args)
        return rest

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write all options, or the first screen, with the examples below them."""
        in_full = ctx.meta.get(ALL, False)
        shown = copy.copy(self)
        shown.epilog = None  # versions of typer break its lines in different ways
        if not in_full:
            shown.params = [self._on_first_screen(param) for param in self.params]
        TyperCommand.format_help(shown, ctx, formatter)
        formatter.width, formatter.current_indent = get_terminal_size().columns, 1  # as above
        with formatter.section("Examples"):
            for example in (self.epilog or "").splitlines():
                formatter.write_text(example)
        more = [param.name for param in self.params if param.param_type_name == "option"]
        rest = len(self.rare.intersection(more) - {HELP_ALL.name})
        if rest and not in_full:
            formatter.write_paragraph()
            formatter.write_text(f"{rest} more options: {ctx.command_path} {ALL}")

    def _on_first_screen(self, param: Any) -> Any:
        """Return a parameter in the single panel of the first screen, under one long name."""
        brief = copy.copy(param)
        brief.hidden = param.name in self.rare
        brief.rich_help_panel = None
        long = [name for name in param.opts if name.startswith("--")]
        brief.opts = [name for name in param.opts if name not in long[1:]]
        return brief
