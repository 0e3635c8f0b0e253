"""Writes small runs that lie exactly at a limit of one of rlprobe's signatures, and beside it, with what the real rlprobe says of each.

    python make_limits.py test/fixtures/oracle/limits.jsonl

A case is as in make_edges.py, which draws: here every combination is taken. A run has 40 rows: a level for the first ten, one for the
twenty between, one for the last ten, so that the mean of a window is the level itself. Thresholds and levels are such that their
products and quotients are exact; ONE is a window of which one row alone was written, whose mean is that value whatever it is.
"""

import argparse
import itertools
import json
import warnings
from pathlib import Path

from make_edges import TINY, judged

UP, DOWN = 1 + TINY, 1 - TINY
ROWS = 40
# A level in the middle that leads from the first to the last, and one that rises above both and comes down again.
RAMP, HUMP = "ramp", "hump"


def around(level):
    return [level * DOWN, level, level * UP]


def ONE(value):
    return [[None, 9], [value, 1]]


# Signature: its thresholds, then for each column the levels of its first rows, those between and its last.
LIMITS = [
    ("ADV_COLLAPSE", {"collapse_below": 0.125, "healthy_early": 0.5, "sustain": 5}, {"adv_std": (around(0.5), [1.0, 0.0625], around(0.125))}),
    ("ENTROPY_COLLAPSE", {"collapse_below": 0.25, "healthy_early": 1.0, "sustain": 3}, {"entropy_mean": (around(1.0), [2.0, 0.125], around(0.25))}),
    ("TRUNCATION_STARVE", {"threshold": 0.5, "growth_ratio": 2.0, "chronic_frac": 1.0}, {"truncation_rate": (around(0.25), [0.25], around(0.5))}),
    # Chronic, or not, by the mean of all rows.
    ("TRUNCATION_STARVE", {"threshold": 0.5, "growth_ratio": 64.0, "chronic_frac": 0.75}, {"truncation_rate": ([0.5], around(0.75), [1.0])}),
    # Grown from nearly nothing: one in a hundred counts as the start.
    ("TRUNCATION_STARVE", {"threshold": 0.5, "growth_ratio": 64.0, "chronic_frac": 1.0}, {"truncation_rate": ([0.0, 0.0078125, None], [0.25], [ONE(v) for v in (0.63, 0.64, 0.65)])}),
    ("TRUNCATION_STARVE", {"threshold": 0.5, "growth_ratio": 8.0, "chronic_frac": 1.0}, {"truncation_rate": ([0.0625, 0.125, None], [1.0, 0.5, None], [0.75, 1.0, None])}),
    ("REPETITION_SPIRAL", {"late_above": 0.5, "early_below": 0.25}, {"repetition_rate": (around(0.25), [RAMP, HUMP], around(0.5))}),
    ("REWARD_STD_DEATH", {"death_below": 0.0625, "early_ratio": 4.0}, {"reward_std": (around(0.25) + around(0.125), [0.5, 0.03125], around(0.0625) + [0.03125, 0.0])}),
    # At the ceiling: above 0.8 of the largest.
    ("REWARD_STD_DEATH", {"death_below": 0.0625, "early_ratio": 4.0}, {"reward_std": ([1.0], [0.5], [0.03125]), "reward_mean": ([0.0], [1.0], [ONE(v) for v in (0.79, 0.8, 0.81)])}),
    ("VALUE_DIVERGENCE", {"ev_floor": 0.25, "sustain": 10}, {"value_explained_variance": ([0.0, 0.5], around(0.25), around(0.25))}),
    # Below in the mean of the last rows, but never for long.
    ("VALUE_DIVERGENCE", {"ev_floor": 0.25, "sustain": 10}, {"value_explained_variance": ([0.5], [0.5], [ONE(v) for v in (0.0, 0.25, 0.5)])}),
    ("VALUE_DIVERGENCE", {"loss_ratio": 2.0}, {"value_loss": ([0.0, -1.0, *around(1.0)], [1.0, RAMP, HUMP], around(2.0))}),
    ("VALUE_DIVERGENCE", {"ev_floor": 0.25, "sustain": 10, "loss_ratio": 2.0}, {"value_explained_variance": ([0.0, 0.5], [0.5], [0.0, 0.25, 0.5]), "value_loss": ([1.0], [1.0], [2.0, 4.0])}),
    ("KL_BLOWUP", {"ratio": 8.0, "abs_floor": 0.5, "sustain": 3}, {"kl_mean": ([0.0, *around(0.0625), *around(0.125)], [0.25, RAMP, HUMP], [*around(0.5), *around(1.0)])}),
    # The level of the onset: five times the start, and a quarter of the limit.
    ("KL_BLOWUP", {"ratio": 8.0, "abs_floor": 0.5, "sustain": 20}, {"kl_mean": ([0.0625, 0.015625], [*around(0.3125), *around(0.125), *around(0.078125)], [2.0])}),
    ("CLIP_SATURATION", {"threshold": 0.25, "sustain": 10}, {"clip_fraction": ([0.0], around(0.25), around(0.25))}),
    ("DEGENERATE_GROUPS", {"threshold": 0.5, "sustain": 10}, {"zero_variance_group_frac": ([0.0], around(0.5), around(0.5))}),
    ("FORMAT_GAMING", {"ceiling_tol": 0.25, "plateau_frac": 0.5, "min_rise_frac": 0.5}, {"reward_component.a": ([0.0], [0.5, 1.0], [*around(0.75), *around(0.5)]), "reward_component.b": ([0.0], [0.25, RAMP], [0.25])}),
    ("FORMAT_GAMING", {"ceiling_tol": 0.0, "plateau_frac": 0.625, "min_rise_frac": 0.5}, {"reward_component.a": ([0.0, 0.5], [0.25, 0.5, 1.0], [1.0]), "reward_component.b": ([0.0], [0.25], [0.25])}),
    ("FORMAT_GAMING", {"ceiling_tol": 0.0, "plateau_frac": 0.5, "min_rise_frac": 0.5}, {"reward_component.a": ([0.0], [v * 1e-9 for v in (0.99, 1.0, 1.01)], [v * 1e-9 for v in (0.99, 1.0, 1.01)]), "reward_component.b": ([0.0], [0.25], [0.25])}),
    ("REF_POLICY_DRIFT_ASYMMETRY", {"share_threshold": 0.5, "min_kl": 0.0625, "min_buckets": 2}, {"kl_positional.0": ([0.0], [0.0], around(0.03125)), "kl_positional.1": ([0.0], [0.0], [*around(0.03125), 0.0, None])}),
    ("REF_POLICY_DRIFT_ASYMMETRY", {"share_threshold": 0.25, "min_kl": 0.0625, "min_buckets": 3}, {"kl_positional.0": ([0.0], [0.0], [0.125, None]), "kl_positional.1": ([0.0, 1.0], [1.0], [0.125, 0.25]), "kl_positional.2": ([None], [None], [0.125, None, 0.375])}),
    ("REWARD_HACK_LENGTH", {"corr_threshold": 0.5, "corr_window": 8, "sustain": 4, "len_growth": 1.5}, {"reward_mean": ([0.0], [RAMP], [1.0]), "completion_len_mean": ([-1.0, 0.0, 64.0], [RAMP, HUMP, 64.0], [64.0, *around(96.0), None])}),
    ("REWARD_HACK_LENGTH", {"corr_threshold": 0.5, "corr_window": 8, "sustain": 20, "len_growth": 1.25}, {"reward_mean": ([0.0, 0.5], [RAMP, HUMP], [1.0]), "completion_len_mean": ([64.0, None], [RAMP], [128.0])}),
    ("THROUGHPUT_ROT", {"ratio": 1.5}, {"step_time_s": ([0.0, -1.0, None, *around(1.0)], [RAMP, HUMP], [*around(1.5), None])}),
    ("THROUGHPUT_ROT", {"ratio": 1.5}, {"step_time_s": ([1.0], [RAMP], [2.0]), "completion_len_mean": ([100.0, 0.0, None], [120.0], [ONE(v) for v in (129.0, 130.0, 131.0)] + [1.3e-9, None])}),
]


def pieces(first, between, last):
    begin, end = ([piece] if not isinstance(piece, list) else piece for piece in (first, last))
    low, high = begin[0] if not isinstance(begin[0], list) else None, end[0] if not isinstance(end[0], list) else None
    middle = [[between, 20]]
    if between == RAMP:
        middle = [[low, 20, (high - low) / 32]] if low is not None and high is not None else [[0.0, 20, 0.125]]
    if between == HUMP:
        top = 2 * max(v for v in (low, high, 0.5) if v is not None)
        middle = [[top, 20, -top / 64]]
    whole = lambda cells: cells if isinstance(cells[0], list) else [[cells[0], 10]]
    return [*whole(begin), *middle, *whole(end)]


def cases():
    for signature, config, columns in LIMITS:
        levels = [list(itertools.product(*parts)) for parts in columns.values()]
        for chosen in itertools.product(*levels):
            yield signature, ROWS, config, {name: pieces(*parts) for name, parts in zip(columns, chosen)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    lines = [json.dumps(judged(*case), separators=(",", ":")) for case in cases()]
    print(len(lines))
    args.out.write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
