"""Draws random runs with failures in them and writes down what the real rlprobe's doctor says of each.

    python make_sick.py OUT --seed 1 --count 60

OUT/recordings/NAME is a run, OUT/expected/NAME.json has {"findings": [...]} in figures and identifiers; rlprobe's prose is
left out. A run is one of rlprobe's synthetic ones (a failure or none, any onset, any length), into which metrics of a second
one may be spliced; then values go missing, become NaN or infinite, are rescaled, or steps lie farther apart. NaN and
infinities are the strings "NaN", "Infinity", "-Infinity". The same seed gives the same runs.
"""

import argparse
import json
import math
import random
import shutil
from pathlib import Path

from rlprobe.doctor import diagnose
from rlprobe.schemas import StepRecord
from rlprobe.storage import RunReader, RunWriter
from rlprobe.testing.synth import PATHOLOGIES, generate_run

NOT_METRICS = {"step", "timestamp", "rank", "reward_components", "extra", "kl_positional"}
METRICS = [name for name in StepRecord.model_fields if name not in NOT_METRICS]
LENGTHS = [5, 29, 30, 31, 45, 64, 100, 128, 200, 257, 500, 511, 900, 1400]


def sick(folder, rng, length):
    kind = rng.choice([None, *PATHOLOGIES])
    generate_run(folder, kind, n_steps=length, seed=rng.randrange(1 << 30), onset_frac=rng.uniform(0.1, 0.8),
                 sample_every=rng.choice([1, 7, 25]))
    reader = RunReader(folder)
    rows, samples = reader.steps(), reader.samples()
    shutil.rmtree(folder)
    return reader.manifest, rows, samples


def value_of(rng, value, missing, odd):
    draw = rng.random()
    if value is None or draw < missing:
        return None
    if draw < missing + odd:
        return rng.choice([math.nan, math.inf, -math.inf, 0.0, 1e300])
    return value


def draw(folder, rng):
    length = rng.choice(LENGTHS)
    scratch = folder.with_name(folder.name + "-scratch")
    manifest, rows, samples = sick(scratch, rng, length)
    other = sick(scratch, rng, length)[1] if rng.random() < 0.4 else None
    taken = {m for m in METRICS if other and rng.random() < 0.35}
    scale = {m: 10 ** rng.uniform(-1.5, 1.5) for m in METRICS if rng.random() < 0.08}
    gone = {m for m in METRICS if rng.random() < 0.08}
    missing, odd = rng.choice([0, 0, 0, 0.05, 0.4, 0.75]), rng.choice([0, 0, 0.01])
    apart = rng.choice([1, 1, 1, 20])
    writer = RunWriter(folder, manifest.model_copy(update={"run_id": folder.name}))
    for index, row in enumerate(rows):
        new = {"step": row.step * apart}
        for metric in METRICS:
            value = getattr(other[index] if metric in taken else row, metric)
            if metric in scale and isinstance(value, float):
                value *= scale[metric]
            new[metric] = None if metric in gone else value_of(rng, value, missing, 0 if isinstance(value, int) else odd)
        if rng.random() < missing:
            new["kl_positional"] = None
            new["reward_components"] = {}
        writer.add_step(row.model_copy(update=new))
    writer.add_samples(samples)
    writer.close()


def plain(value):
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, bool) or value is None or isinstance(value, (str, int)):
        return value
    value = float(value)
    return value if math.isfinite(value) else "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def findings(folder):
    keys = ("signature_id", "severity", "first_step", "confidence", "evidence", "links_to_samples")
    return [{key: plain(getattr(finding, key)) for key in keys} for finding in diagnose(folder)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    (args.out / "expected").mkdir(parents=True)
    for index in range(args.count):
        name = f"sick-{args.seed}-{index:03d}"
        draw(args.out / "recordings" / name, rng)
        text = json.dumps({"findings": findings(args.out / "recordings" / name)}, indent=1)
        (args.out / "expected" / f"{name}.json").write_text(text + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
