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


def compacted(out: Path, steps: int) -> None:
    generate_run(out, None, n_steps=steps, seed=SEED)


def live(out: Path, spec: dict, source: RunReader, steps: list, samples: list) -> None:
    """One flush a part, as a run does that logs a step every second or two; never closed, so never compacted."""
    rows, per_shard = spec["steps"] // spec["parts"], spec["rowsPerShard"]
    writer = RunWriter(out, source.manifest)
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


def main(specs: list, out: Path) -> None:
    longest, loaded = out / "100000-steps", None
    for spec in specs:
        target, partial = out / spec["folder"], out / f"{spec['folder']}.partial"
        shutil.rmtree(partial, ignore_errors=True)
        if spec["kind"] == "compacted":
            compacted(partial, spec["steps"])
        else:
            if loaded is None:
                source = RunReader(longest)
                loaded = (source, list(source.steps()), list(source.samples())[:SAMPLES])
            (live if spec["kind"] == "live" else shards)(partial, spec, *loaded)
        partial.rename(target)
        print(f"made {spec['folder']}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]), Path(sys.argv[2]))
