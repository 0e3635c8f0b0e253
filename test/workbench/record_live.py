"""Records a run step by step with the real rlprobe Recorder, as it is told on standard input.

    python record_live.py OUT --pathology kl_blowup --steps 200 [--from STEP]

Commands, one a line: `steps N` logs the next N steps with their samples and flushes, `event KIND MESSAGE` logs an event, `close`
closes the recording. Each is answered by `ok` once it is on the disk. Values are those of one of rlprobe's synthetic runs.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from rlprobe import Recorder
from rlprobe.storage import RunReader
from rlprobe.testing.synth import generate_run


def drawn(pathology, steps):
    with tempfile.TemporaryDirectory() as scratch:
        folder = generate_run(Path(scratch) / "run", pathology, n_steps=steps, seed=3, onset_frac=0.5)
        reader = RunReader(folder)
        samples = {}
        for sample in reader.samples():
            samples.setdefault(sample.step, []).append(sample)
        return reader.steps(), samples


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--pathology")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--from", dest="start", type=int, default=0)
    options = parser.parse_args()
    rows, samples = drawn(options.pathology, options.steps)
    recorder = Recorder(
        options.out, algorithm="grpo", run_id="live-run", flush_interval_s=3600, steps_per_flush=100_000, capture_env=False
    )
    at = options.start
    print("ok", flush=True)
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "steps":
            batch = rows[at : at + int(rest)]
            for index, row in enumerate(batch):
                # As if each step had taken a second.
                recorder.log_step(row.model_copy(update={"timestamp": time.time() - len(batch) + index}))
                recorder.log_samples(row.step, samples.get(row.step, []), select=False)
            at += int(rest)
        elif word == "event":
            kind, _, message = rest.partition(" ")
            recorder.log_event(kind, step=at, message=message)
        elif word == "close":
            recorder.close()
        if not recorder.flush(60):
            raise SystemExit("not flushed")
        print("ok", flush=True)


main()
