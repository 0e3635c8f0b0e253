"""Reads recordings with rlprobe: folders and ranks as JSON on stdin, of each what killed-found.ts calls Found on stdout."""

import json
import math
import shutil
import sys
import tempfile
from pathlib import Path

from rlprobe.storage import RunReader


def plain(x):
    return None if x is None or math.isnan(x) else x


def read(folder: str, rank: int):
    try:
        run = RunReader(folder)
    except FileNotFoundError:
        return None
    complaints = []

    def tried(what, work):
        try:
            return work()
        except Exception as problem:
            complaints.append(f"rlprobe cannot read {what}: {type(problem).__name__}")
            return []

    def events():
        try:
            return run.events()
        except ValueError:
            # A line that was torn by a kill: rlprobe reads what lies before it once it is gone.
            with tempfile.TemporaryDirectory() as scratch:
                shutil.copytree(folder, scratch, dirs_exist_ok=True)
                for log in Path(scratch).glob("**/events.jsonl"):
                    whole = log.read_bytes()
                    if not whole.endswith(b"\n"):
                        complaints.append("a torn line of events.jsonl")
                        log.write_bytes(whole[: whole.rfind(b"\n") + 1])
                return RunReader(scratch).events()

    steps = tried("steps", run.steps)
    if steps:
        tried("its table of steps", lambda: run.steps_table().num_rows)
    return {
        "steps": [[s.step, plain(s.reward_mean), plain(s.extra.get(f"m{s.step // 25}"))] for s in steps],
        "samples": [s.sample_id for s in tried("samples", run.samples) if s.rank == rank],
        "events": [
            [e.kind, e.message if e.kind == "note" else ""] for e in tried("events", events) if e.rank == rank
        ],
        "complaints": complaints,
    }


json.dump([read(folder, rank) for folder, rank in json.load(sys.stdin)], sys.stdout)
