"""More ratings than memory: python scale_work.py WORK FOLDER OUTPUT [SECONDS]

WORK is one of the functions below; a worker of Dask is killed after SECONDS. Writes to OUTPUT the
seconds, the rows, the peak memory of the largest process that works, and all digits; of Dask, the
bytes that its processes sent to one another as well. "read" and "tasks" write seconds alone: of
reading the columns, and of Dask's scheduler for a task that does nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import xarray as xr

import iaa_jax as iaa

if TYPE_CHECKING:
    from distributed import Client

MEMORY = "1GB"
WORKERS, WORKER_MEMORY = 2, "2GB"

GROUPS_TOGETHER = {"side": 1, "apart": 5}
"""Row groups of a partition, so that all partitions have as many rows."""

TASKS = 5000

Found = dict[str, float | str]


def main() -> None:
    work, folder, output = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    output.write_text(json.dumps(WORKS[work](folder)), encoding="utf-8")


def described(ratings: xr.Dataset, seconds: float, peak: int) -> Found:
    """What is written of ratings."""
    patterns = ratings.primary.values
    tally = (patterns.astype(np.int64), ratings.item_weight.values)  # as it travels
    return {
        "seconds": seconds,
        "rows": int((patterns >= 0).sum(axis=1) @ ratings.item_weight.values),
        "items": int(ratings.item_weight.sum()),
        "peak": peak,
        "digits": digits(ratings),
        "patterns": len(patterns),
        "tally": len(pickle.dumps(tally)),
    }


def digits(ratings: xr.Dataset) -> str:
    """Every digit of all coefficients with their errors and intervals, in short."""
    result = iaa.agreement(ratings, replicates=200)
    names = ("estimate", "standard_error", "ci_low", "ci_high")
    figures = b"".join(result[name].values.tobytes() for name in names)
    return hashlib.sha256(figures).hexdigest()


def alone(call: Callable[[], xr.Dataset]) -> Found:
    """Work of this process."""
    start = time.perf_counter()
    ratings = call()
    return described(ratings, time.perf_counter() - start, peak())


def peak() -> int:
    """Most bytes that this process has held."""
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used if sys.platform == "darwin" else used * 1024


def scan(folder: Path) -> Found:
    return alone(lambda: iaa.scan(str(folder / "*.parquet"), memory=MEMORY))


def scan_whole(folder: Path) -> Found:
    return alone(lambda: iaa.scan(str(folder / "*.parquet"), memory=MEMORY, items_whole=True))


def in_memory(folder: Path) -> Found:
    """The same ratings by pandas in one process."""
    return alone(lambda: iaa.data.compress(iaa.from_long(pd.read_parquet(folder))))


def read(folder: Path) -> Found:
    """Seconds to read the columns, the best of three: what any way has to do."""
    import duckdb

    query = f"SELECT sum(item), sum(annotator), sum(label) FROM read_parquet('{folder}/*.parquet')"
    best = float("inf")
    with duckdb.connect() as database:
        for _ in range(3):
            start = time.perf_counter()
            database.execute(query).fetchall()
            best = min(best, time.perf_counter() - start)
    return {"seconds": best}


def dask_whole(folder: Path) -> Found:
    return on_workers(folder, items_whole=True)


def dask(folder: Path) -> Found:
    return on_workers(folder, items_whole=False)


def tasks(folder: Path) -> Found:
    """Seconds that the scheduler of Dask, which runs in this process, takes for a task."""
    from dask import compute, delayed

    with workers(folder):
        several = [delayed(int)(number) for number in range(TASKS)]
        start = time.process_time()
        compute(*several)
        return {"seconds": (time.process_time() - start) / TASKS}


@contextmanager
def workers(folder: Path) -> Iterator[Client]:
    """Two processes, with all modules loaded."""
    import dask.dataframe as frames
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=WORKERS,
            threads_per_worker=1,
            memory_limit=WORKER_MEMORY,
            dashboard_address=None,
            local_directory=str(folder.parent),
        ) as cluster,
        Client(cluster) as client,
    ):
        few = pd.DataFrame({"item": [1, 1, 2, 2], "annotator": [1, 2] * 2, "label": [1, 2, 1, 1]})
        iaa.from_dask(frames.from_pandas(few, npartitions=WORKERS))
        yield client


def on_workers(folder: Path, *, items_whole: bool) -> Found:
    """Work of two processes, of which one is killed on the way where that is asked for."""
    import dask.dataframe as frames

    with workers(folder) as client:
        together = GROUPS_TOGETHER[folder.name]
        frame = frames.read_parquet(str(folder / "*.parquet"), split_row_groups=together)
        before = client.run(os.getpid)
        peaks: list[int] = []

        def kill() -> None:
            peaks.extend(client.run(peak).values())
            os.kill(min(before.values()), signal.SIGKILL)

        killing = threading.Timer(float(sys.argv[4]), kill) if len(sys.argv) > 4 else None
        sent, start = sent_here(), time.perf_counter()
        if killing is not None:
            killing.start()
        ratings = iaa.from_dask(frame, items_whole=items_whole)
        seconds, sent = time.perf_counter() - start, sent_here() - sent
        if killing is not None:
            killing.cancel()
            client.wait_for_workers(WORKERS)
            if set(client.run(os.getpid).values()) == set(before.values()):
                raise RuntimeError("no worker was killed: all was done before")
        peaks.extend(client.run(peak).values())
    found = described(ratings, seconds, max(peaks))
    return {**found, "sent": sent, "partitions": frame.npartitions}


def sent_here() -> int:
    """Bytes that processes of this machine have sent to one another."""
    import psutil

    counters = psutil.net_io_counters(pernic=True)
    return sum(counters[name].bytes_sent for name in ("lo", "lo0") if name in counters)


WORKS = {
    each.__name__: each for each in (scan, scan_whole, in_memory, read, dask_whole, dask, tasks)
}


if __name__ == "__main__":
    main()
