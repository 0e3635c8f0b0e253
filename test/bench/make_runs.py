"""Writes the benchmark's recordings with rlprobe's own generator and writer.

    make_runs.py SPECS OUT    SPECS is JSON: a list of run specs (stories.ts) with their folder names
"""

import json
import shutil
import sys
from pathlib import Path

from rlprobe.storage import RunReader, RunWriter
from rlprobe.testing.synth import generate_run

SEED = 3
OWN_SHARDS = 500
SAMPLES = 8_000


def compacted(out: Path, steps: int, seed: int = SEED) -> None:
    generate_run(out, None, n_steps=steps, seed=seed)


def live(out: Path, spec: dict, source: RunReader, steps: list, samples: list) -> None:
    """One flush a part, as a run does that logs a step every second or two; never closed, so never compacted."""
    rows, per_shard = spec["steps"] // spec["parts"], spec["rowsPerShard"]
    writer = RunWriter(out, source.manifest)
    if first := spec.get("from", 0):
        seconds = first * (steps[1].timestamp - steps[0].timestamp)
        steps = [
            s.model_copy(update={"step": s.step + first, "timestamp": s.timestamp + seconds})
            for s in steps[: spec["steps"]]
        ]
    for part in range(spec["parts"]):
        own = steps[part * rows : (part + 1) * rows]
        for step in own:
            writer.add_step(step)
        if part < spec["shards"]:
            at = (part * per_shard) % (SAMPLES - per_shard)
            chosen = samples[at : at + per_shard]
            writer.add_samples([s.model_copy(update={"step": own[0].step}) for s in chosen])
        writer.flush()


def shards(out: Path, spec: dict, source: RunReader, steps: list, samples: list) -> None:
    """Small shards are never joined: a long run keeps tens of thousands. Their contents repeat, their number is what counts."""
    own = min(OWN_SHARDS, spec["shards"])
    scratch = out.with_name(out.name + "-scratch")
    live(scratch, {**spec, "parts": own, "shards": own, "steps": own}, source, steps, samples)
    compacted(out, spec["steps"])
    shutil.rmtree(out / "samples", ignore_errors=True)
    (out / "samples").mkdir()
    for i in range(spec["shards"]):
        shutil.copyfile(
            scratch / "samples" / f"shard-{i % own:05d}.parquet", out / "samples" / f"shard-{i:05d}.parquet"
        )
    shutil.rmtree(scratch)


WORDS = 4_000
TEXT_WORDS = (80, 320)


def texts(rng, count: int) -> list:
    """Completions of 500 to 2,000 characters; words are as frequent as in a language."""
    import numpy as np

    words = np.array(["".join(chr(97 + c) for c in rng.integers(0, 26, rng.integers(2, 10))) for _ in range(WORDS)])
    lengths = rng.integers(*TEXT_WORDS, count)
    drawn = words[(rng.zipf(1.3, lengths.sum()) - 1) % WORDS]
    ends = np.cumsum(lengths)
    return [" ".join(drawn[end - n : end]) for end, n in zip(ends, lengths)]


def dense(out: Path, spec: dict, base) -> None:
    """Samples as the writer lays them out, written as columns: rlprobe's own objects would take minutes."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(SEED)
    compacted(out, min(spec["steps"], 1_000))
    shutil.rmtree(out / "samples", ignore_errors=True)
    (out / "samples").mkdir()
    rows, total = spec["rowsPerShard"], spec["shards"] * spec["rowsPerShard"]
    pool = texts(rng, 20_000)
    names = {f.name: f.type for f in base}
    for shard in range(spec["shards"]):
        row = np.arange(shard * rows, (shard + 1) * rows)
        step = row * spec["steps"] // total
        picks = rng.integers(0, len(pool), rows)
        filled = {
            "step": step,
            "sample_id": [f"{s}_{i}" for s, i in zip(step, row % (total // spec["steps"]))],
            "rank": np.zeros(rows, int),
            "group_id": [f"{s}_g{i // 4}" for s, i in zip(step, row % (total // spec["steps"]))],
            "prompt_id": [f"p{i}" for i in rng.integers(0, 5_000, rows)],
            "prompt_text": [f"Solve this: {pool[i][:200]}" for i in picks % 500],
            "completion_text": [pool[i] for i in picks],
            "reward_total": rng.normal(size=rows),
            "reward_component.format": rng.integers(0, 2, rows).astype(float),
            "reward_component.exact": rng.random(rows),
            "advantage": rng.normal(size=rows),
            "logprob_mean": -rng.random(rows),
            "kl_contribution": rng.random(rows) / 10,
            "completion_len": [len(pool[i]) // 5 for i in picks],
            "truncated": rng.random(rows) < 0.1,
            "capture_reason": ["random"] * rows,
        }
        columns = {name: pa.array(filled[name]) if name in filled else pa.nulls(rows, names[name]) for name in {**names, **filled}}
        pq.write_table(pa.table(columns), out / "samples" / f"shard-{shard:05d}.parquet", compression="zstd")


def main(specs: list, out: Path) -> None:
    longest, loaded = out / "100000-steps", None
    for spec in specs:
        target, partial = out / spec["folder"], out / f"{spec['folder']}.partial"
        shutil.rmtree(partial, ignore_errors=True)
        if spec["kind"] == "compacted":
            compacted(partial, spec["steps"], spec.get("seed", SEED))
        elif spec["kind"] == "samples":
            import pyarrow.parquet as pq

            dense(partial, spec, pq.read_schema(next((longest / "samples").glob("*.parquet"))))
        else:
            if loaded is None:
                source = RunReader(longest)
                loaded = (source, list(source.steps()), list(source.samples())[:SAMPLES])
            (shards if spec["kind"] == "shards" else live)(partial, spec, *loaded)
        partial.rename(target)
        print(f"made {spec['folder']}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]), Path(sys.argv[2]))
