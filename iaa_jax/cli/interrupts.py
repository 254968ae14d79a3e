"""Handle interrupts (Ctrl-C), which JAX's native code may lose, or after which it may crash."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from contextlib import suppress
from types import FrameType
from typing import NoReturn

INTERRUPTED = 130
PATIENCE = 5.0
"""Number of seconds after which an interrupt ends the program in any case."""

_heard = threading.Event()


def listen() -> None:
    """Record interrupts in addition to raising them; end on SIGTERM or SIGHUP after cleaning up."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _hear)
        threading.Thread(target=_insist, daemon=True).start()
    for name in ("SIGTERM", "SIGHUP"):  # batch systems and closed terminals: clean up, then end
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)


def check() -> None:
    """Raise an interrupt again if it was lost: Python drops exceptions in callbacks of JAX."""
    if _heard.is_set():
        raise KeyboardInterrupt


def leave(code: int) -> NoReturn:
    """End the process immediately: a normal exit may crash while JAX compiles in other threads."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        with suppress(OSError):
            stream.flush()
    os._exit(code)


def _insist() -> None:
    """End the program if an interrupt did not, because it was lost or a lock blocks it."""
    _heard.wait()
    time.sleep(PATIENCE)
    print("iaa: interrupted", file=sys.stderr)
    leave(INTERRUPTED)


def _end(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001
    signal.signal(number, signal.SIG_DFL)  # a second signal ends the process immediately
    raise SystemExit(128 + number)


def _hear(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001
    _heard.set()
    raise KeyboardInterrupt
