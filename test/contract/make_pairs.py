"""Draws random pairs of runs and writes down how the real rlprobe compares each.

    python make_pairs.py OUT --seed 1 --count 60
    python make_pairs.py OUT --seed 1 --count 60 --healthy

OUT/recordings/NAME-a and NAME-b are the runs, OUT/expected/NAME.json has {"z", "sustain", "diff": {...}}. Some pairs are
synthetic runs that part at one place, some are random in everything (make_random.py), some share their first half. With --healthy
all pairs are healthy runs of one kind and length that differ in their seed. NaN and infinities are the strings "NaN", "Infinity",
"-Infinity". The same seed gives the same runs.
"""

import argparse
import json
import random
import shutil
from pathlib import Path

from make_random import Drawer
from make_sick import METRICS, draw, plain
from rlprobe.doctor.diff import diff_runs
from rlprobe.storage import RunReader, RunWriter
from rlprobe.testing.synth import generate_run

CONFIGS = [
    {"lr": 1e-6, "beta": 0.0, "nested": {"a": [1, 2], "b": None}, "name": "x", "__proto__": 1},
    {"lr": 1e-06, "beta": 0, "nested": {"b": None, "a": [1, 2]}, "name": "y", "big": 2**60},
    {"lr": 2e-6, "beta": False, "nested": {"a": [1, 2.0], "b": None}, "big": 2**60 + 1, "constructor": {}},
    {},
]


def rewritten(folder, rng, other):
    """The run with other configuration, steps shifted, repeated or left out, and prompts that meet those of the other run."""
    reader = RunReader(folder)
    rows, samples = reader.steps(), reader.samples()
    shutil.rmtree(folder)
    config = rng.choice(CONFIGS)
    # True and 1 are equal to Python and no equal JSON values.
    if other is not None and "beta" in other and "beta" in config and isinstance(other["beta"], bool) != isinstance(config["beta"], bool):
        config = {k: v for k, v in config.items() if k != "beta"}
    writer = RunWriter(folder, reader.manifest.model_copy(update={"run_id": folder.name, "trainer_config": config}))
    habit = rng.random()
    if habit < 0.15 and rows:
        rows = rows + [rows[-1].model_copy(update={m: None for m in rng.sample(METRICS, 12)})]
    elif habit < 0.3:
        rng.shuffle(rows)
    elif habit < 0.45 and len(rows) > 4:
        back = rng.randrange(1, len(rows))
        rows = rows[:back] + rows[max(0, back - 3) :]
    elif habit < 0.55:
        rows = [row for row in rows if rng.random() < 0.7]
    for row in rows:
        writer.add_step(row)
    count = rng.choice([1, 3, 20])
    writer.add_samples([
        s.model_copy(update={"prompt_id": None if rng.random() < 0.1 else f"p{rng.randrange(count)}",
                             "reward_total": None if rng.random() < 0.1 else s.reward_total})
        for s in samples
    ])
    writer.close()
    return config


def healthy_copy(source, target, rng):
    """The same run up to some row, moved away from there on."""
    reader = RunReader(source)
    rows = reader.steps()
    at = rng.randrange(0, len(rows) + 1)
    writer = RunWriter(target, reader.manifest)
    moved = rng.sample(METRICS, 8)
    for index, row in enumerate(rows):
        new = {}
        for metric in moved:
            value = getattr(row, metric)
            if index >= at and isinstance(value, float):
                new[metric] = value + rng.choice([0.0, 1e-9, 1e-3, 1.0]) * (index - at)
        writer.add_step(row.model_copy(update=new))
    writer.add_samples(reader.samples())
    writer.close()


def pair(a, b, rng, drawer):
    kind = rng.random()
    if kind < 0.3:
        drawer.recording(a, a.name, 1, 0)
        drawer.recording(b, b.name, 1, 0)
    elif kind < 0.6:
        draw(a, rng)
        healthy_copy(a, b, rng)
    else:
        draw(a, rng)
        draw(b, rng)
    config = rewritten(a, rng, None)
    rewritten(b, rng, config)


def healthy_pair(a, b, rng):
    steps = int(60 * 25 ** rng.random())
    algorithm = rng.choice(["grpo", "ppo"])
    for folder in (a, b):
        generate_run(folder, None, n_steps=steps, seed=rng.randrange(1 << 30), sample_every=50, algorithm=algorithm)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--healthy", action="store_true")
    args = parser.parse_args()
    rng, drawer = random.Random(args.seed), Drawer(args.seed, False)
    (args.out / "expected").mkdir(parents=True)
    for index in range(args.count):
        name = f"pair-{args.seed}-{index:03d}"
        a, b = (args.out / "recordings" / f"{name}-{side}" for side in "ab")
        options = {"z_thresh": 4.0, "sustain": 5}
        if args.healthy:
            healthy_pair(a, b, rng)
        else:
            pair(a, b, rng, drawer)
            options = {"z_thresh": rng.choice([4.0, 4.0, 2.5, 1.0, 6.0]), "sustain": rng.choice([5, 5, 1, 3, 12])}
        diff = plain(diff_runs(a, b, **options).model_dump())
        text = json.dumps({"z": options["z_thresh"], "sustain": options["sustain"], "diff": diff}, indent=1)
        (args.out / "expected" / f"{name}.json").write_text(text + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
