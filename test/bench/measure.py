"""The other side of a round, in a process of its own; prints one line of JSON.

    measure.py steps RUN          rlprobe's RunReader.steps()
    measure.py samples RUN        rlprobe's RunReader.samples()
    measure.py query RUN          rlprobe's query of the ten best samples
    measure.py floor STORY PLAN FILE   the pages of a plan (pages.ts) through native zstd, one thread
"""

import json
import os
import sys
import time

WARM_CALLS = 5


def peak_mb() -> float:
    """Most resident memory of this program, MB; ru_maxrss would carry over from whoever started it."""
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024
    except (OSError, StopIteration):
        import resource

        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1024 / 1024


def read(what: str, run: str) -> dict[str, float]:
    from rlprobe.storage import RunReader

    start = time.perf_counter()
    list(getattr(RunReader(run), what)())
    ms = (time.perf_counter() - start) * 1000
    return {f"{what} cold": ms, f"memory {what}": peak_mb()}


def query(run: str) -> dict[str, float]:
    from rlprobe.doctor.forensics import query_samples

    start = time.perf_counter()
    query_samples(run)
    return {"query cold": (time.perf_counter() - start) * 1000, "memory query": peak_mb()}


def decompress(ranges: list, file: str) -> tuple[float, float]:
    """Wall and processor time, ms."""

    import pyarrow

    codec = pyarrow.Codec("zstd")
    start, cpu = time.perf_counter(), time.process_time()
    descriptor = os.open(file, os.O_RDONLY)
    for part in ranges:
        data = memoryview(os.pread(descriptor, part["length"], part["start"]))
        for page in part["pages"]:
            codec.decompress(data[page["at"] : page["at"] + page["compressed"]], page["size"])
    os.close(descriptor)
    return (time.perf_counter() - start) * 1000, (time.process_time() - cpu) * 1000


def floor(story: str, plan: str, file: str) -> dict[str, float]:
    with open(plan, encoding="utf-8") as text:
        ranges = json.load(text)
    cold, _ = decompress(ranges, file)
    warm = [decompress(ranges, file) for _ in range(WARM_CALLS)]
    return {
        f"{story} cold": cold,
        f"{story} warm": min(ms for ms, _ in warm),
        f"{story} cpu": min(cpu for _, cpu in warm),
    }


if __name__ == "__main__":
    command, *rest = sys.argv[1:]
    own = {"floor": floor, "query": query}.get(command)
    print(json.dumps({"figures": own(*rest) if own else read(command, *rest)}))
