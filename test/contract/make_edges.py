"""Draws small runs that lie on the edges of rlprobe's signatures and writes down what the real rlprobe says of each.

    python make_edges.py test/fixtures/oracle/edges.jsonl --seed 11 --each 60

A line is a case: rows, config (thresholds that binary fractions can say exactly, so that “at the threshold” is exactly there), columns
as pieces [value, rows] or [value, rows, added a row], findings in figures and identifiers. Null is a value that was not written; NaN and
infinities are the strings "NaN", "Infinity", "-Infinity". Windows and runs are cut at their lengths and one beside; levels lie at a
threshold, just below and just above. Half of the cases of a signature fire it, as far as there are such. The same seed gives the same cases.
"""

import argparse
import json
import math
import random
import warnings
from pathlib import Path

from make_sick import plain

from rlprobe.doctor import RunView, diagnose_view
from rlprobe.schemas import RunManifest, StepRecord

TINY = 2.0**-12
NAN, INF = math.nan, math.inf


def around(*levels):
    return [x for level in levels for x in (level, level * (1 - TINY), level * (1 + TINY))]


# Signature: thresholds, columns with their levels, rows in a run.
FAMILIES = {
    "KL_BLOWUP": ({"ratio": [8, 4], "abs_floor": [0.5, 0.0, 1.0], "sustain": [3, 1, 4]},
                  {"kl_mean": [0.0, 2.0**-24, 0.0625, 0.125, *around(0.25, 0.5, 1.0), 2.0, 0.625]}, 3),
    "ENTROPY_COLLAPSE": ({"collapse_below": [0.25, 0.5], "healthy_early": [1.0], "sustain": [3, 5]},
                         {"entropy_mean": [*around(0.25, 0.5, 1.0), 2.0, 0.125], "reward_mean": [0.0, 0.5, 1.0]}, 5),
    "REWARD_HACK_LENGTH": ({"corr_threshold": [0.75, 0.5, 0.9375], "corr_window": [8, 10], "sustain": [4, 6], "len_growth": [1.5, 1.25]},
                           {"reward_mean": [0.0, 0.5, 1.0, 2.0], "completion_len_mean": [0.0, *around(128.0, 160.0, 192.0), 64.0]}, 6),
    "FORMAT_GAMING": ({"ceiling_tol": [0.0625, 0.0], "plateau_frac": [0.5, 0.75, 1.0], "min_rise_frac": [0.25, 0.5]},
                      {"reward_component.a": [*around(1.0, 0.9375), 0.0, 0.5, 0.25], "reward_component.b": [0.0, 1.0, 0.5, 1e-10], "reward_component.c": [0.25, 0.5]}, 10),
    "CLIP_SATURATION": ({"threshold": [0.25, 0.5], "sustain": [6, 12]}, {"clip_fraction": [*around(0.25, 0.5), 0.0, 1.0]}, 6),
    "DEGENERATE_GROUPS": ({"threshold": [0.5, 0.0], "sustain": [5, 15]}, {"zero_variance_group_frac": [*around(0.5), 0.0, 1.0, 0.25]}, 5),
    "ADV_COLLAPSE": ({"collapse_below": [0.125], "healthy_early": [0.5, 1.0], "sustain": [5, 2]}, {"adv_std": [*around(0.125, 0.5, 1.0), 0.0, 2.0]}, 5),
    "VALUE_DIVERGENCE": ({"ev_floor": [0.0, 0.25], "sustain": [4, 10], "loss_ratio": [2.0, 4.0]},
                         {"value_explained_variance": [*around(0.25), 0.0, -TINY, -1.0, 0.5], "value_loss": [0.0, *around(1.0, 2.0, 4.0), 8.0]}, 10),
    "GRAD_PATHOLOGY": ({"spike_ratio": [8, 4], "min_spikes": [3, 1, 2]},
                       {"grad_norm": [*around(1.0, 4.0, 8.0), 0.0, 2.0, 64.0], "nan_count": [0, 1, 3], "inf_count": [0, 2]}, 1),
    "TRUNCATION_STARVE": ({"threshold": [0.5], "growth_ratio": [2.0, 4.0], "chronic_frac": [0.75, 0.875]},
                          {"truncation_rate": [*around(0.5, 0.75, 0.25, 0.875), 0.0, 0.0078125, 1.0]}, 5),
    "REPETITION_SPIRAL": ({"late_above": [0.25, 0.5], "early_below": [0.125, 0.25]}, {"repetition_rate": [*around(0.125, 0.25, 0.5), 0.0, 1.0]}, 5),
    "REWARD_STD_DEATH": ({"death_below": [0.0625, 0.125], "early_ratio": [4.0, 2.0]},
                         {"reward_std": [*around(0.0625, 0.125, 0.25), 0.03125, 0.0, 1.0], "reward_mean": [0.0, 0.8, 0.75, 1.0, -1.0]}, 5),
    "REF_POLICY_DRIFT_ASYMMETRY": ({"share_threshold": [0.5, 0.25], "min_kl": [0.0625, 0.0], "min_buckets": [4, 2, 3]},
                                   {f"kl_positional.{b}": [0.0, *around(0.015625, 0.03125), 0.0625] for b in range(4)}, 10),
    "THROUGHPUT_ROT": ({"ratio": [1.5, 1.25]}, {"step_time_s": [0.0, *around(1.0, 1.25, 1.5), 2.0], "completion_len_mean": [100.0, 130.0, *around(128.0), 200.0]}, 5),
}


def pieces(rng, rows, levels, sustain):
    early, late, half = max(10, rows // 4), max(10, rows // 5), rows // 2
    edges = [early, rows - late, half, early + sustain, rows - sustain, rows - max(15, int(rows * 0.3)), early - sustain]
    cuts = sorted({min(rows, max(0, rng.choice(edges) + rng.choice([0, 0, 0, -1, 1]))) for _ in range(rng.choice([1, 1, 2, 3]))} | {0, rows})
    out = []
    for start, end in zip(cuts, cuts[1:]):
        value = rng.choice(levels)
        slope = rng.choice([0, 0, 0, 1, 1, -1]) * 2.0 ** -rng.randrange(4, 14)
        # Half of the slopes go through the level in the middle, so that a window's mean is the level itself.
        first = value - slope * (end - start - 1) / 2 if rng.random() < 0.5 else value
        out.append([first, end - start, slope] if slope else [value, end - start])
    draw = rng.random()
    if draw < 0.1:
        return punched(rng, out, rng.choice([(0, early), (rows - late, late)]))
    return punched(rng, out) if draw < 0.35 else out


def punched(rng, whole, window=None):
    """Holes: rows without a value, or with none that is a number; anywhere, or all of a window."""
    cells = spread(whole)
    hole = rng.choice([None, None, NAN, INF, -INF])
    start, length = window or (rng.randrange(len(cells)), rng.choice([1, 1, 2, 10, len(cells) // 2, len(cells)]))
    for i in range(start, min(len(cells), start + length)):
        cells[i] = hole
    out = []
    for value in cells:
        if out and (out[-1][0] == value or (value != value and out[-1][0] != out[-1][0] and value is not None and out[-1][0] is not None)):
            out[-1][1] += 1
        else:
            out.append([value, 1])
    return out


def spread(whole):
    return [None if piece[0] is None else piece[0] + i * (piece[2] if len(piece) > 2 else 0) for piece in whole for i in range(piece[1])]


def record(step, cells):
    own = {name: value for name, value in cells.items() if "." not in name and value is not None}
    parts = {name.split(".", 1)[1]: value for name, value in cells.items() if name.startswith("reward_component.") and value is not None}
    buckets = [value for name, value in sorted(cells.items()) if name.startswith("kl_positional.")]
    last = max((i for i, value in enumerate(buckets) if value is not None), default=-1)
    positional = [NAN if value is None else value for value in buckets[: last + 1]] or None
    return StepRecord(step=step, reward_components=parts, kl_positional=positional, **own)


def draw(rng, signature):
    params, columns, sustain = FAMILIES[signature]
    rows = rng.choice([30, 30, 40, 41, 60, 29])
    config = {name: rng.choice(values) for name, values in params.items()}
    drawn = {name: pieces(rng, rows, levels, config.get("sustain", sustain)) for name, levels in columns.items() if rng.random() < 0.9}
    for name in ("nan_count", "inf_count"):
        if name in drawn:
            drawn[name] = [[None if piece[0] is None or not math.isfinite(piece[0]) else int(piece[0]), piece[1]] for piece in drawn[name]]
    return judged(signature, rows, config, drawn)


def judged(signature, rows, config, columns):
    """The case with what rlprobe finds in it. Columns are pieces."""
    cells = {name: spread(whole) for name, whole in columns.items()}
    manifest = RunManifest(run_id="edge", algorithm="grpo", created_at="2026-01-02T03:04:05+00:00")
    view = RunView(manifest, [record(i * 10, {name: values[i] for name, values in cells.items()}) for i in range(rows)])
    found = diagnose_view(view, config={signature.lower(): config})
    keys = ("signature_id", "severity", "first_step", "confidence", "evidence")
    findings = [{key: plain(getattr(finding, key)) for key in keys} for finding in found]
    return {"signature": signature, "rows": rows, "config": config, "columns": plain(columns), "findings": findings}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--each", type=int, default=60)
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    lines = []
    for signature in FAMILIES:
        rng = random.Random(f"{args.seed} {signature}")
        kept = {True: [], False: []}
        for _ in range(args.each * 40):
            case = draw(rng, signature)
            group = kept[any(f["signature_id"] == signature for f in case["findings"])]
            if len(group) < args.each // 2:
                group.append(case)
        print(signature, len(kept[True]), len(kept[False]))
        lines += [json.dumps(case, separators=(",", ":")) for case in kept[True] + kept[False]]
    args.out.write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
