"""Run Python with a hard limit on its memory: python guard.py BYTES ARGUMENT...

Prints wall seconds, peak resident memory in bytes, and why it was ended, as JSON. A process of its
own, and a small one: the peak that the system reports of a child begins with that of its parent.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import threading
import time

ADDRESS_SPACE = 8 * 10**9
"""Threads and libraries ask for far more addresses than they ever touch."""

LOOKS = 0.02
"""Seconds between two looks at the memory."""


def main() -> None:
    limit = int(sys.argv[1])
    start = time.time()
    child = subprocess.Popen(
        [sys.executable, *sys.argv[2:]],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "STARTED": repr(start)},
        preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_AS, (max(ADDRESS_SPACE, 2 * limit),) * 2
        ),
    )
    watch = Watch(child, limit)
    watch.start()
    assert child.stderr is not None
    complaint = child.stderr.read()
    _, status, used = os.wait4(child.pid, 0)
    seconds = time.time() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    watch.join()
    ended = "over its limit" if watch.over else ""
    if child.returncode and not ended:
        ended = f"exit {child.returncode}: {' '.join(complaint.split())[-200:]}"
    unit = 1 if sys.platform == "darwin" else 1024
    found = {"seconds": seconds, "peak": used.ru_maxrss * unit, "ended": ended}
    print(json.dumps(found))


class Watch(threading.Thread):
    """Ends the process as soon as it holds more than the limit."""

    def __init__(self, child: subprocess.Popen[str], limit: int) -> None:
        super().__init__(daemon=True)
        self.child = child
        self.limit = limit
        self.over = False

    def run(self) -> None:
        while (held := resident(self.child.pid)) is not None:
            if held > self.limit:
                self.over = True
                self.child.kill()
                return
            time.sleep(LOOKS)


def resident(process: int) -> int | None:
    """Bytes that a process holds; None when it is gone, or where the system does not tell."""
    try:
        with open(f"/proc/{process}/status", encoding="ascii") as file:
            for line in file:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        return None
    return None


if __name__ == "__main__":
    main()
