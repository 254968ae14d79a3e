"""Read mutants: ``python -m tests.fuzz 7`` shows the mutant 7, ``0:50000`` reads so many.

``python -m tests.fuzz --exports 7`` and so on are those of exports of annotation tools;
``--exports`` alone reads as many as each reader is to have. With ``--neutral`` each number is a
file and another form of it, which must give the same figures.

Each range runs in a process of its own, which gets so much memory and no more; a mutant that takes
too long, or takes the process down, is named.
"""

from __future__ import annotations

import faulthandler
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

MEMORY = 1 << 30  # bytes beside what the process has when it begins
SECONDS = 10.0  # of the processor, that one file may take
TABLES, EXPORTS, NEUTRAL = "", "--exports", "--neutral"
ENOUGH = 5  # failures that are shown whole


class TooSlow(BaseException):
    """A file that takes too long."""


def _stop(signum: int, frame: FrameType | None) -> None:
    raise TooSlow


def _most_memory() -> int:
    """The most kilobytes that this process held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def kinds(which: str) -> tuple[Callable[[int], Any], Callable[[Any, Path], object]]:
    """How mutants are made and read: those of tables, of exports, or neutral ones."""
    if which == NEUTRAL:
        from tests.fuzz.neutral_pairs import neutral_outcome, neutral_pair

        return neutral_pair, neutral_outcome
    if which == EXPORTS:
        from tests.fuzz.export_law import export_outcome
        from tests.fuzz.exports import export_mutant

        return export_mutant, export_outcome
    from tests.fuzz.law import outcome
    from tests.fuzz.mutants import mutant

    return mutant, outcome


def read_range(first: int, last: int, which: str = TABLES) -> int:
    """Read mutants in this process; the number of those for which the law does not hold."""

    from iaa_jax import IaaError

    mutant, outcome = kinds(which)
    with tempfile.TemporaryDirectory() as folder:
        outcome(mutant(0), Path(folder))
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
    signal.signal(signal.SIGPROF, _stop)
    became: Counter[str] = Counter()
    failed, slowest, largest = 0, (0.0, first), (0, first)
    for number in range(first, last):
        one = mutant(number)
        print(number, file=sys.stderr, flush=True)
        faulthandler.dump_traceback_later(30 * SECONDS, exit=True)
        before = _most_memory()
        start = time.process_time()
        try:
            with tempfile.TemporaryDirectory() as folder:
                signal.setitimer(signal.ITIMER_PROF, SECONDS)
                result = outcome(one, Path(folder))
                signal.setitimer(signal.ITIMER_PROF, 0)
            became["refused" if isinstance(result, IaaError) else "read"] += 1
        except (Exception, TooSlow):
            signal.setitimer(signal.ITIMER_PROF, 0)
            failed += 1
            if failed <= ENOUGH:
                print(f"{one}\n{traceback.format_exc(limit=-4)}")
        slowest = max(slowest, (time.process_time() - start, number))
        largest = max(largest, (_most_memory() - before, number))
    faulthandler.cancel_dump_traceback_later()
    print(
        f"mutants {first} to {last - 1}: {became['read']} read, {became['refused']} refused, "
        f"{failed} failed; the slowest was {slowest[1]} with {slowest[0]:.2f} s; "
        f"{largest[1]} took most memory beyond the others before it, {largest[0] / 1000:.1f} MB"
    )
    return failed


def run(
    first: int, last: int, step: int = 5000, *, which: str = TABLES
) -> Iterator[tuple[bool, str]]:
    """Read mutants, each range in a process of its own: whether all went well, and what it said."""
    command = (sys.executable, "-W", "error", "-m", "tests.fuzz", "--here")
    command += (which,) * (which != TABLES)
    for start in range(first, last, step):
        child = subprocess.run(
            [*command, f"{start}:{min(last, start + step)}"],
            capture_output=True,
            text=True,
            check=False,
            cwd=Path(__file__).parents[2],
        )
        ended = f"the process ended with {child.returncode}: {child.stderr[-1500:]}"
        yield not child.returncode, child.stdout + (f"{ended}\n" if child.returncode else "")


def main(arguments: list[str]) -> int:
    """Show a mutant, or read a range of them."""
    which = next((each for each in (EXPORTS, NEUTRAL) if each in arguments), TABLES)
    if arguments[-1] == EXPORTS:
        from tests.fuzz.exports import EACH, of_readers

        arguments = [*arguments, f"0:{EACH * len(of_readers())}"]
    first, _, last = arguments[-1].partition(":")
    if "--here" in arguments:
        return min(read_range(int(first), int(last), which), 1)
    if last:
        every = True
        for good, said in run(int(first), int(last), which=which):
            print(said, end="", flush=True)
            every &= good
        return int(not every)
    mutant, outcome = kinds(which)
    one = mutant(int(first))
    print(one)
    with tempfile.TemporaryDirectory() as folder:
        result = outcome(one, Path(folder))
    print(result if isinstance(result, Exception) else f"{result}\n{result.attrs['read_as']}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
