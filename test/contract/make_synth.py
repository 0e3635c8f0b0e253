"""Writes rlprobe's own synthetic runs: healthy ones, and each failure at random onsets, of random length.

    python make_synth.py OUT --seed 1 --healthy 40 --sick 0 [--findings]

OUT/recordings/NAME is a run; OUT/truth.json lists {name, pathology (null for healthy), onset, steps} and, with
--findings, what rlprobe finds: [{signature, onset}]. `--sick` counts runs of each failure. The same seed gives the same figures.
"""

import argparse
import json
import random
from pathlib import Path

from rlprobe.doctor import diagnose
from rlprobe.testing.synth import PATHOLOGIES, generate_run

SHORTEST, LONGEST = 60, 1500


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--healthy", type=int, default=40)
    parser.add_argument("--sick", type=int, default=0)
    parser.add_argument("--findings", action="store_true")
    args = parser.parse_args()
    rng = random.Random(args.seed)
    runs = []
    for pathology, count in [(None, args.healthy), *((p, args.sick) for p in PATHOLOGIES)]:
        for index in range(count):
            steps = int(SHORTEST * (LONGEST / SHORTEST) ** rng.random())
            share = rng.uniform(0.3, 0.7)
            algorithm = rng.choice(["grpo", "ppo"]) if pathology is None else None
            name = f"{pathology or 'healthy'}-{index:03d}"
            folder = args.out / "recordings" / name
            generate_run(folder, pathology, n_steps=steps, onset_frac=share, seed=rng.randrange(1 << 30),
                         sample_every=50, algorithm=algorithm)
            run = {"name": name, "pathology": pathology, "onset": int(steps * share), "steps": steps}
            if args.findings:
                run["findings"] = [{"signature": f.signature_id, "onset": f.first_step} for f in diagnose(folder)]
            runs.append(run)
    (args.out / "truth.json").write_text(json.dumps(runs, indent=1) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
