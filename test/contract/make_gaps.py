"""Draws pairs of short series that lie on the edges of rlprobe's comparison and writes down what the real rlprobe says of each.

    python make_gaps.py test/fixtures/oracle/gaps.jsonl --seed 5 --cases 400

A line is a case: columns a and b as pieces [value, rows, swing] (the swing is added to one row and taken from the next), z, sustain, and
what is said: the place of the divergence (null for none), the late gap, its size in units of the early noise, who is higher; null where
nothing is compared. Null is a value that is missing; infinities are strings. Levels lie at z times the early noise, just below and just
above; stays are as long as they have to be, and one row shorter; windows are cut at their lengths and one beside. The same seed gives the
same cases.
"""

import argparse
import json
import math
import random
import warnings

import numpy as np

from rlprobe.doctor.diff import _diverge

TINY = 2.0**-12
NAN, INF = math.nan, math.inf


def column(pieces):
    out = []
    for value, rows, swing in pieces:
        value = NAN if value is None else float(value)
        out += [value + (swing if i % 2 == 0 else -swing) for i in range(rows)]
    return np.array(out)


def draw(rng):
    z = rng.choice([4.0, 2.0, 3.0, 8.0])
    sustain = rng.choice([1, 2, 3, 5, 5])
    rows = rng.choice([30, 31, 32, 40, 50, 64, 100])
    early, late = max(10, rows // 4), max(10, int(rows * 0.2))
    level = rng.choice([0.0, 0.0, 1.0, -1.0, 64.0, -64.0])
    swing = rng.choice([1.0, 1.0, 0.5, 0.0])
    outside = rng.choice([1, -1]) * z * (swing or rng.choice([2.0**-20, 2.0**-17, 0.5])) * rng.choice([1.0, 1 + TINY, 1 - TINY, 2.0])
    kind = rng.choice(["stay", "stay", "leave", "twice", "early", "flat"])
    stay = sustain + rng.choice([0, -1, 1])
    start = rng.choice([early, early + 1, rows - late, rows - late - 1, rows - late + 1, rows - sustain, rows - sustain + 1, rows // 2])
    start = min(rows - 1, max(1, start))
    if kind == "flat":
        a = [[level, rows, swing]]
    elif kind == "stay":
        a = [[level, start, swing], [level + outside, rows - start, 0.0]]
    elif kind == "early":
        start = early - rng.choice([1, 2])
        a = [[level, start, swing], [level + outside, rows - start, 0.0]]
    else:
        stay = max(1, min(stay, rows - start))
        a = [[level, start, swing], [level + outside, stay, 0.0], [level, rows - start - stay, swing]]
        if kind == "twice" and rows - start - stay > 3:
            a[2:] = [[level, 1, swing], [level - outside, rows - start - stay - 1, 0.0]]
    a = [piece for piece in a if piece[1] > 0]
    # Holes at either end of a window, and where too few values are left.
    b = [[rng.choice([0.0, 0.0, 0.5, -2.0]), rows, 0.0]]
    hole = rng.choice([None] * 4 + ["row", "row", "late", "few", "first", "inf"])
    if hole:
        value = b[0][0]
        where = {
            "row": (rng.choice([0, early - 1, early, start, min(rows - 2, start + 1), rows - late]), 1),
            "late": (rows - late, rng.choice([late, late - 1])),
            "few": (rng.choice([0, rows // 2]), rows - rng.choice([29, 30])),
            "first": (0, rng.choice([1, early - 1])),
            "inf": (rng.choice([0, rows // 2]), 1),
        }[hole]
        missing = rng.choice(["Infinity", "-Infinity"]) if hole == "inf" else None
        first, length = where[0], min(where[1], rows - where[0])
        b = [[value, first, 0.0], [missing, length, 0.0], [value, rows - first - length, 0.0]]
        b = [piece for piece in b if piece[1] > 0]
    return {"z": z, "sustain": sustain, "a": a, "b": b}


def said(case):
    a, b = column(case["a"]), column(case["b"])
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        found = _diverge("x", a, b, np.arange(len(a)), z_thresh=case["z"], sustain=case["sustain"])
    if found is None:
        return None
    plain = lambda x: x if math.isfinite(x) else "NaN" if math.isnan(x) else "Infinity" if x > 0 else "-Infinity"
    return {"at": found.divergence_step, "gapLate": plain(found.gap_late), "zLate": plain(found.z_late), "higherLate": found.higher_late}


parser = argparse.ArgumentParser()
parser.add_argument("out")
parser.add_argument("--seed", type=int, default=5)
parser.add_argument("--cases", type=int, default=400)
options = parser.parse_args()
rng = random.Random(options.seed)
with open(options.out, "w", encoding="utf-8") as out:
    for _ in range(options.cases):
        case = draw(rng)
        out.write(json.dumps({**case, "found": said(case)}) + "\n")
