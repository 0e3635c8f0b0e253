"""Records random runs with the real rlprobe and writes down how its reader reads each.

    python make_random.py OUT --seed 1 --count 20 [--small]

OUT/recordings/NAME is a run, OUT/expected/NAME.json the reading: manifest, n_steps, first_step, last_step, columns
({name: {present, sum}}, sums without NaN), n_samples, samples_by_rank, events, rank_dirs. NaN and infinities are the
strings "NaN", "Infinity", "-Infinity". The same seed gives the same runs.
"""

import argparse
import json
import math
import random
from pathlib import Path

from rlprobe.schemas import Event, RunManifest, SampleRecord, StepRecord
from rlprobe.storage import RunReader, RunWriter

SPECIAL = {"step", "timestamp", "rank", "nan_count", "inf_count", "kl_positional", "reward_components", "extra"}
SCALARS = [name for name in StepRecord.model_fields if name not in SPECIAL]
NAMES = ["exact", "format", "len.penalty", "a/b", "two words", "é", "漢字", "\U0001f408", "__proto__", "constructor", "UPPER", "x" * 200, "1", "a,b;c"]
TEXTS = ["plain", "", "two\nlines\r\nthree", "tab\there", "<script>alert(1)</script>", "\u202eabc\u202c", "\u001b[31mred\u001b[0m",
         "漢字 é \U0001f408", "a" * 3000, "\u2028", "zero\u200bwidth", "{\"json\": [1, 2]}"]
KINDS = ["train_begin", "train_end", "checkpoint", "nan_detected", "crash", "auto_halt", "eval", "made up", "__proto__", "漢"]


class Drawer:
    """Draws the parts of runs from one seeded source."""

    def __init__(self, seed, small):
        self.rng = random.Random(seed)
        self.small = small

    def number(self):
        r = self.rng
        pick = r.random()
        if pick < 0.02:
            return r.choice([math.nan, math.inf, -math.inf])
        if pick < 0.06:
            return r.choice([0.0, -0.0, 1e-300, 1e300, 5e-324, float(2**53), 1e14])
        return r.gauss(0, 1) * 10 ** r.randrange(-6, 6)

    def maybe(self, value, share):
        return value() if self.rng.random() < share else None

    def step_record(self, step, columns, names, share):
        r = self.rng
        return StepRecord(
            step=step,
            timestamp=self.maybe(lambda: 1.75e9 + step * 3.5 + r.random(), 0.9),
            nan_count=self.maybe(lambda: r.randrange(0, 5), share),
            inf_count=self.maybe(lambda: r.randrange(0, 2**40), share / 2),
            kl_positional=self.maybe(lambda: [self.number() for _ in range(r.randrange(0, 6))], share / 2),
            reward_components={n: self.number() for n in names if r.random() < share},
            extra={n: self.number() for n in reversed(names) if r.random() < share / 2},
            **{c: self.number() for c in columns if r.random() < share},
        )

    def step_numbers(self, count):
        r = self.rng
        start, stride = r.choice([0, 0, 1, 100, 2**40]), r.choice([1, 1, 1, 5, 10])
        steps = [start + i * stride for i in range(count)]
        habit = r.random()
        if habit < 0.15 and count:
            steps.append(steps[-1])
        elif habit < 0.3 and count > 4:
            back = r.randrange(1, count)
            steps = steps[:back] + steps[max(0, back - 3) :]
        elif habit < 0.4:
            r.shuffle(steps)
        return steps

    def sample(self, step, index, rank, names):
        r = self.rng
        return SampleRecord(
            step=step, sample_id=f"{step}_{index}", rank=rank,
            group_id=self.maybe(lambda: f"{step}_g{index // 4}", 0.6), prompt_id=self.maybe(lambda: f"p{index % 3}", 0.5),
            prompt_text=self.maybe(lambda: r.choice(TEXTS), 0.9), completion_text=self.maybe(lambda: r.choice(TEXTS), 0.9),
            completion_token_ids=self.maybe(lambda: [r.randrange(0, 2**31) for _ in range(r.randrange(0, 8))], 0.3),
            reward_total=self.maybe(self.number, 0.9), reward_components={n: self.number() for n in names if r.random() < 0.5},
            advantage=self.maybe(self.number, 0.7), logprob_mean=self.maybe(self.number, 0.4),
            kl_contribution=self.maybe(self.number, 0.4), completion_len=self.maybe(lambda: r.randrange(0, 5000), 0.7),
            truncated=self.maybe(lambda: r.random() < 0.2, 0.6), capture_reason=r.choice(["top_k", "bottom_k", "random", "all", None]),
        )

    def event(self, rank, last):
        r = self.rng
        return Event(
            timestamp=1.75e9 + r.choice([r.random() * 1000, float(r.randrange(0, 5))]), kind=r.choice(KINDS), rank=rank,
            step=self.maybe(lambda: r.randrange(-1, last + 2), 0.8), message=r.choice(TEXTS),
            data={} if r.random() < 0.5 else {n: r.choice([1, 2.5, None, True, "x", [1, [2.0, {}]], {"a": {"b": -1e-7}}, 2**53]) for n in r.sample(NAMES, 2)},
        )

    def manifest(self, name, world, rank):
        r = self.rng
        return RunManifest(
            run_id=r.choice([name, "漢字 run", "a/b", "with\nline"]), created_at="2026-01-02T03:04:05.678+00:00",
            algorithm=r.choice(["grpo", "ppo", "rloo", "dapo", "own"]), model_name=self.maybe(lambda: "org/model-0.5b", 0.7), world_size=world,
            trainer_config={"lr": 1e-06, "beta": 0.0, "steps": 2**53 - 1, "nested": {"list": [1, 1.0, None, "é"]}, "flag": r.random() < 0.5},
            environment=r.choice([{}, {"python": "3.11", "gpu": None, "packages": {"torch": "2.0"}}]),
            notes=self.maybe(lambda: r.choice(TEXTS), 0.3), extra={"rank": rank} if rank else {},
        )

    def recording(self, folder, name, world, rank):
        """One recording: a run's own, or a rank's."""
        r = self.rng
        columns = r.sample(SCALARS, r.randrange(0, len(SCALARS)))
        names = r.sample(NAMES, r.randrange(0, 5))
        share = r.choice([1.0, 1.0, 0.9, 0.5, 0.1])
        steps = self.step_numbers(r.choice([0, 1, 7, 40, 60] if self.small else [0, 1, 30, 200, 700]))
        writer = RunWriter(folder, self.manifest(name, world, rank), sample_shard_size=r.choice([4096, 64, 10]))
        flush_every = r.choice([0, 0, 7, 50])
        for row, step in enumerate(steps):
            writer.add_step(self.step_record(step, columns, names, share))
            if r.random() < 0.15:
                writer.add_samples([self.sample(step, i, rank, names) for i in range(r.randrange(1, 9))])
            if flush_every and row % flush_every == flush_every - 1:
                writer.flush()
        for _ in range(r.choice([0, 1, 3, 20])):
            writer.log_event(self.event(rank, len(steps)))
        # A run that was killed leaves its parts; one that ended leaves one table.
        if r.random() < 0.35:
            writer.flush()
        else:
            writer.close()

    def run(self, folder):
        world = self.rng.choice([1, 1, 1, 2, 3])
        self.recording(folder, folder.name, world, 0)
        for rank in range(1, world):
            self.recording(folder / f"rank-{rank:03d}", folder.name, world, rank)


def plain(value):
    """The value with NaN and infinities as text."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def columns_of(records):
    """What each scalar column holds: how many values, and their sum without NaN."""
    values = {}
    for record in records:
        row = record.model_dump()
        for name, value in row.pop("reward_components").items():
            values.setdefault("reward_component." + name, []).append(value)
        for name, value in row.pop("extra").items():
            values.setdefault("extra." + name, []).append(value)
        row.pop("kl_positional")
        for name, value in row.items():
            if value is not None:
                values.setdefault(name, []).append(value)
    return {name: {"present": len(v), "sum": total(x for x in v if not math.isnan(x))} for name, v in values.items()}


def total(numbers):
    numbers = [float(x) for x in numbers]
    infinite = {x for x in numbers if math.isinf(x)}
    return (infinite.pop() if len(infinite) == 1 else math.nan) if infinite else math.fsum(numbers)


def reading(folder):
    reader = RunReader(folder)
    steps, samples = reader.steps(), reader.samples()
    ranks = [s.rank for s in samples]
    return plain({
        "manifest": reader.manifest.model_dump(),
        "n_steps": len(steps),
        "first_step": steps[0].step if steps else None,
        "last_step": steps[-1].step if steps else None,
        "columns": columns_of(steps),
        "n_samples": len(samples),
        "samples_by_rank": {str(rank): ranks.count(rank) for rank in sorted(set(ranks))},
        "events": [event.model_dump() for event in reader.events()],
        "rank_dirs": [path.name for path in reader.rank_dirs()],
    })


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--small", action="store_true", help="short runs, to be kept as fixtures")
    args = parser.parse_args()
    drawer = Drawer(args.seed, args.small)
    (args.out / "expected").mkdir(parents=True)
    for index in range(args.count):
        name = f"random-{args.seed}-{index:02d}"
        drawer.run(args.out / "recordings" / name)
        text = json.dumps(reading(args.out / "recordings" / name), indent=1, ensure_ascii=True)
        (args.out / "expected" / f"{name}.json").write_text(text + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
