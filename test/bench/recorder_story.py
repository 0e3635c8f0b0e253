"""recorder-story.ts with rlprobe's own recorder: recorder_story.py FOLDER STEPS."""

import json
import math
import statistics
import sys
import time

from rlprobe.recorder import Recorder
from rlprobe.schemas import StepRecord

STEP_S = 0.02
BLOCK = 25
OTHERS = ("step", "timestamp", "rank", "reward_components", "extra", "kl_positional")
COUNTS = ("nan_count", "inf_count")
named = [name for name in StepRecord.model_fields if name not in OTHERS]
METRICS = named + [f"custom_{i}" for i in range(50 - len(named))]


def metrics_of(step):
    return {name: step % 3 if name in COUNTS else math.sin(step * 0.7 + i) for i, name in enumerate(METRICS)}


def padded(text, length, filler):
    return (text + filler * (length // len(filler) + 1))[:length]


def samples_of(step):
    return [
        {
            "group_id": f"{step}_g{i >> 2}",
            "prompt_id": f"p{(step + i) % 500}",
            "prompt_text": padded(f"question {step} {i} ", 200, "what is it "),
            "completion_text": padded(f"answer {step} {i} ", 1000, "it is so because "),
            "completion_len": 200 + i,
            "truncated": i % 5 == 0,
            "reward_total": math.sin(step + i),
            "reward_components": {"format": i % 2, "exact": math.cos(step + i)},
            "advantage": math.sin(i),
            "logprob_mean": -abs(math.cos(i)),
            "kl_contribution": math.sin(step) / 10,
        }
        for i in range(16)
    ]


def work(rounds):
    total = 0.0
    for i in range(rounds):
        total += math.sqrt(i) * math.sin(i)
    return total


def timed(job):
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def calibrated():
    rounds = 20_000
    return round(rounds * STEP_S / min(timed(lambda: work(rounds)) for _ in range(10)))


def block(first, rounds, recorder):
    calls = []
    start = time.perf_counter()
    for step in range(first, first + BLOCK):
        work(rounds)
        metrics, samples = metrics_of(step), samples_of(step)
        before = time.perf_counter()
        if recorder is not None:
            recorder.log_step(step, **metrics)
            recorder.log_samples(step, samples)
        calls.append((time.perf_counter() - before) * 1000)
    return calls, time.perf_counter() - start


def main(folder, steps):
    rounds = calibrated()
    recorder = Recorder(f"{folder}/run", capture_env=False)
    plain, recorded, calls = [], [], []
    for step in range(0, steps, BLOCK):
        plain.append(block(step, rounds, None)[1])
        own, wall = block(step, rounds, recorder)
        recorded.append(wall)
        calls += own
    recorder.close()
    figures = {
        "call mean": statistics.fmean(calls),
        "call median": statistics.median(calls),
        "call slowest": max(calls),
        "loop added": (statistics.median(recorded) / statistics.median(plain) - 1) * 100,
    }
    print(json.dumps({"figures": figures}))


main(sys.argv[1], int(sys.argv[2]))
