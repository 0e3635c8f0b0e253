"""What rlprobe says of recordings and of their replays, where it says two things.

    {"runs": [[original, replay]], "pairs": [[a, b, replay of a, replay of b]]} on stdin; on stdout
    {"differences": {replay: [...]}, "refused": {replay: [steps, samples]}}: originals that rlprobe refuses have no other side.
"""

import json
import math
import sys

from rlprobe.doctor import diagnose, diff_runs, query_samples, spike_drivers
from rlprobe.storage import RunReader

SORTS = ("reward", "advantage", "kl", "length", "logprob")


def dump(records):
    return [record.model_dump() for record in records]


def say(folder):
    run = RunReader(folder)
    steps, samples = run.steps(), run.samples()
    middle = steps[len(steps) // 2].step if steps else 0
    return {
        "manifest": run.manifest.model_dump(),
        "steps": dump(steps),
        "columns": dict.fromkeys(run.steps_table().column_names) if steps else {},
        "samples": dump(samples),
        "events": dump(run.events()),
        "ranks": {path.name: say(path) for path in run.rank_dirs()},
        "findings": dump(diagnose(folder)),
        "queries": {
            f"{sort} {descending}": dump(query_samples(folder, sort=sort, k=10, descending=descending))
            for sort in SORTS
            for descending in (True, False)
        },
        "spike drivers": dump(spike_drivers(folder, middle)),
    }


def differences(a, b, at=""):
    if isinstance(a, dict) and isinstance(b, dict):
        return [
            difference
            for key in dict.fromkeys([*a, *b])
            for difference in (
                differences(a[key], b[key], f"{at}/{key}")
                if key in a and key in b
                else [f"{at}/{key} is in {'the replay' if key in b else 'the original'} only"]
            )
        ]
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        if len(a) != len(b):
            return [f"{at}: {len(a)} became {len(b)}"]
        return [difference for i, (x, y) in enumerate(zip(a, b)) for difference in differences(x, y, f"{at}/{i}")]
    if isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b):
        return []
    return [] if a == b and isinstance(a, bool) == isinstance(b, bool) else [f"{at}: {a!r} became {b!r}"]


def main(asked):
    out, refused = {}, {}
    for original, replay in asked["runs"]:
        try:
            theirs = say(original)
        except Exception:
            run = RunReader(replay)
            refused[replay] = [len(run.steps()), len(run.samples())]
            continue
        out[replay] = differences(theirs, say(replay))[:10]
    for a, b, replay_a, replay_b in asked["pairs"]:
        found = differences(diff_runs(a, b).model_dump(), diff_runs(replay_a, replay_b).model_dump())
        out[f"{replay_a} and {replay_b}"] = found[:10]
    json.dump({"differences": out, "refused": refused}, sys.stdout)


main(json.load(sys.stdin))
