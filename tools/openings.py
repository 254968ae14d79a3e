"""Count how often a call checks and opens ratings, and what it makes: python tools/openings.py.

For each public function of ratings, on the tests' examples, this counts how often the schema is
checked, ratings are opened, requests are resolved and Datasets are made, and how many files of the
package have a function that receives ratings.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

import xarray as xr  # noqa: E402

from iaa_jax.data import schema  # noqa: E402
from iaa_jax.measure.ratings.rated import Rated  # noqa: E402
from iaa_jax.measure.requests.resolver import Resolver  # noqa: E402

PACKAGE = f"{ROOT / 'iaa_jax'}/"
CONSTRUCTORS = f"{PACKAGE}data/"
"""The modules that check the ratings they make."""


class Openings(NamedTuple):
    """How often a call did something with ratings, and how many files received them."""

    checks: int
    openings: int
    resolvers: int
    datasets: int
    files: int


@contextmanager
def counted() -> Iterator[Callable[[], Openings]]:
    """Count what happens within a block."""
    codes = {
        schema.validate.__code__: "checks",
        Rated.of.__func__.__code__: "openings",  # type: ignore[attr-defined]
        Resolver.__init__.__code__: "resolvers",
        xr.Dataset.__init__.__code__: "datasets",
        xr.Dataset._construct_direct.__func__.__code__: "datasets",  # type: ignore[attr-defined]
    }
    times = dict.fromkeys(codes.values(), 0)
    files: set[str] = set()

    def seen(frame: FrameType, event: str, _: Any) -> None:
        if event != "call":
            return
        code = frame.f_code
        name = codes.get(code)
        caller = frame.f_back.f_code.co_filename if frame.f_back else ""
        if name is not None and not (name == "checks" and caller.startswith(CONSTRUCTORS)):
            times[name] += 1
        if code.co_filename.startswith(PACKAGE):
            arguments = map(frame.f_locals.get, code.co_varnames[: code.co_argcount])
            if any(map(_are_ratings, arguments)):
                files.add(code.co_filename)

    sys.setprofile(seen)
    try:
        yield lambda: Openings(**times, files=len(files))
    finally:
        sys.setprofile(None)


def _are_ratings(value: object) -> bool:
    if isinstance(value, xr.Dataset):
        return "task" in value.attrs and "made_by" not in value.attrs
    return isinstance(value, Rated)


def main() -> None:
    """Print a line for each public function."""
    from tests.analyses.test_rows import EXAMPLES, FUNCTIONS, called

    print("function", *Openings._fields, sep="\t")
    for name in FUNCTIONS:
        with counted() as so_far:
            called(name, EXAMPLES)
            openings = so_far()
        print(name, *openings, sep="\t")


if __name__ == "__main__":
    main()
