"""Random runs with what rlprobe answers of their samples: make_queries.py OUT --seed N --count N"""

import argparse
import json
import math
import random
from pathlib import Path

from rlprobe.doctor.forensics import SORT_FIELDS, query_samples, spike_drivers
from rlprobe.schemas import RunManifest, SampleRecord
from rlprobe.storage import RunReader, RunWriter


def record(rng: random.Random, step: int, i: int, rank: int) -> SampleRecord:
    def figure():
        return None if rng.random() < 0.2 else rng.choice([rng.gauss(0, 1), rng.randrange(3) / 2, math.inf, -0.0])

    return SampleRecord(
        step=step,
        sample_id=f"{step}_{i}",
        rank=rank,
        group_id=rng.choice([None, f"g{i // 4}"]),
        prompt_text="ein Prompt",
        completion_text="wörter " * rng.randrange(5),
        reward_total=figure(),
        advantage=figure(),
        logprob_mean=figure(),
        kl_contribution=figure(),
        completion_len=None if rng.random() < 0.2 else rng.randrange(20),
    )


def make(rng: random.Random, folder: Path) -> list:
    ranks = rng.choice([1, 1, 3])
    manifest = RunManifest(
        run_id=folder.name, created_at="2026-01-01T00:00:00+00:00", algorithm="grpo", world_size=ranks
    )
    sparse = rng.random() < 0.3
    for rank in range(ranks):
        writer = RunWriter(folder if rank == 0 else folder / f"rank-{rank:03d}", manifest)
        for _ in range(rng.randrange(1, 6)):
            steps = [rng.randrange(40) for _ in range(rng.randrange(1, 12))]
            rows = [record(rng, s, i, rank) for s in steps for i in range(rng.randrange(1, 6))]
            if sparse:
                rows = [r.model_copy(update={"advantage": None}) for r in rows]
            writer.add_samples(rows)
            writer.flush()
    return asked(rng, folder)


def asked(rng: random.Random, folder: Path) -> list:
    out = []
    names = lambda rows: [[s.step, s.sample_id, s.rank] for s in rows]
    reader = RunReader(folder)
    for _ in range(20):
        low, high = sorted(rng.randrange(-2, 42) for _ in range(2))
        q = {
            "from": rng.choice([None, low]),
            "to": rng.choice([None, high]),
            "sort": rng.choice(sorted(SORT_FIELDS)),
            "descending": rng.random() < 0.5,
            "k": rng.randrange(1, 15),
        }
        rows = query_samples(reader, step_from=q["from"], step_to=q["to"], sort=q["sort"], descending=q["descending"], k=q["k"])
        out.append({"query": q, "rows": names(rows)})
        step, window, k = rng.randrange(40), rng.randrange(6), rng.randrange(1, 10)
        out.append({"around": [step, window, k], "rows": names(spike_drivers(reader, step, window=window, k=k))})
    return out


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    for i in range(args.count):
        folder = args.out / f"run-{i:03d}"
        (args.out / f"run-{i:03d}.json").parent.mkdir(parents=True, exist_ok=True)
        (args.out / f"run-{i:03d}.json").write_text(json.dumps(make(rng, folder)), encoding="utf-8")
