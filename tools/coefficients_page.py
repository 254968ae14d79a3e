"""Make the page docs/coefficients.md from the catalogue."""

from __future__ import annotations

from collections.abc import Iterator

from iaa_jax import kernels
from iaa_jax._errors import REASONS
from iaa_jax.catalog import CATALOG, DISTANCES, LEVELS, WEIGHTS, Coefficient

HEAD = """\
# Coefficients

Written by `tools/generate.py` from `iaa_jax/catalog/`; change it there.

In the equations: `w` item weights, `v` annotator weights (a pair counts by the product of both,
`v_a v_b`), `n_i` the ratings of item i, `r_il` those on label l, `L` the number of labels, `S`
the agreement between labels (1 on the diagonal), `D = 1 - S`, `A` the observed and `E` the
expected agreement, `D_o` and `D_e` the observed and the expected disagreement. A chance-corrected
estimate is `1 - D_o / D_e = (A - E) / (1 - E)`, and is undefined where `D_e = 0`. An item is
pairable when it has two ratings or more; [what each coefficient does with the
others](missing.md#items-rated-once). Every coefficient takes weights on items and on annotators,
missing ratings, and masses instead of single labels. The formulas alone: [all
kernels](#all-kernels).
"""


def page() -> str:
    """Return the page as text."""
    parts = [
        HEAD,
        *_table(),
        *(_section(row) for row in CATALOG.values()),
        _names(),
        *_kernels(),
        *_codes(),
    ]
    return "\n".join(parts)


def _codes() -> Iterator[str]:
    yield "## Codes\n\nThe `code` of a result or of a kernel says why a figure is undefined."
    yield "\n| code | reason |\n| ---: | --- |"
    for code, reason in REASONS.items():
        yield f"| {code} | {reason or 'defined'} |"
    yield ""


def _table() -> Iterator[str]:
    yield "| name | aliases | annotators | asks who rated | weights |"
    yield "| --- | --- | --- | --- | --- |"
    for row in CATALOG.values():
        aliases = ", ".join(f"`{alias}`" for alias in row.aliases)
        annotators = row.measure.annotators or "any number"
        yield (
            f"| [`{row.name}`](#{_anchor(row)}) | {aliases} | {annotators} "
            f"| {_yes(row.identified)} | {_yes(row.takes_weights)} |"
        )
    yield ""


def _section(row: Coefficient) -> str:
    facts = {
        "Range": row.range,
        "Undefined": row.undefined,
        "Ratings": "numbers, or labels that are numbers" if row.measure.takes_values else "",
        "Items": "those that every annotator rated" if row.measure.complete else "",
        "Standard errors by formula": ", ".join(f"`{form}`" for form in row.analytic),
        "Tests of zero agreement by formula": ", ".join(f"`{form}`" for form in row.null_error),
        "Interval by formula": '`"f"`' if row.f_interval else "",
        "Levels": ", ".join(f"`{level}`" for level in row.levels),
        "Source": f"{row.source}. [{_at(row)}]({row.link})",
    }
    lines = [f"- {fact}: {text}" for fact, text in facts.items() if text]
    return "\n".join(
        [
            f"## {row.title}",
            "",
            f"`{row.name}`. {row.summary}",
            "",
            "```text",
            row.equation,
            "```",
            "",
            *lines,
            "",
            *([row.notes, ""] if row.notes else []),
        ]
    )


def _at(row: Coefficient) -> str:
    return f"doi:{row.doi}" if row.doi else row.link


def _names() -> str:
    weights = ", ".join(f"`{name}`" for name in WEIGHTS)
    distances = ", ".join(f"`{name}`" for name in DISTANCES)
    return (
        "## Agreements and distances between labels\n\n"
        f"`weights=` takes {weights}, or a (label, label) matrix with 1 on its diagonal.\n"
        f"`distance=` takes {distances} for label sets, or a matrix or function of two labels.\n"
        "Formulas, sources and examples: [when labels agree in part](weights.md).\n"
    )


def _kernels() -> Iterator[str]:
    """Yield the kernels, each with the shape of its data and of its estimate."""
    yield (
        "## All kernels\n\n"
        "The formulas alone, as functions of arrays in `iaa_jax.kernels`: "
        "[how to call them](kernels.md). Spans have none of their own there, since their figures "
        "are made of comparisons of documents.\n"
    )
    measures = [row.measure for row in CATALOG.values() if not row.measure.compares]
    of_values = [level.over_values.kernel for level in LEVELS.values()]
    of_values += [each.kernel for each in measures if each.takes_values]
    per_label = [each.kernel for each in measures if each.per_label]
    yield "| kernel | data | estimate | what |"
    yield "| --- | --- | --- | --- |"
    for name in sorted({*kernels.__all__} - {"Agreement", "Kernel"}):
        kernel = getattr(kernels, name)
        what = (kernel.__doc__ or "").partition("\n")[0].partition(": see")[0].removesuffix(".")
        if what.startswith("Return "):
            what = what.removeprefix("Return ").capitalize()
        data = "values (item, annotator)"
        if kernel not in of_values:
            data = "mass (item, annotator, label)"
        shape = "(label,)" if kernel in per_label else "a number"
        yield f"| `kernels.{name}` | {data} | {shape} | {what} |"
    yield ""


def _anchor(row: Coefficient) -> str:
    kept = "".join(letter for letter in row.title.lower() if letter.isalnum() or letter in " -_")
    return kept.replace(" ", "-")


def _yes(fact: bool) -> str:
    return "yes" if fact else "no"
