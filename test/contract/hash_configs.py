"""What real Python's json and hashlib say of configurations: reads cases as JSON on standard input, writes answers.

    python3 hash_configs.py < cases.json > answers.json

A case is `plan`, a description from which the value is built here (below), `witness`, the text of a witness file that was written of
the same value elsewhere, and `spelling`, a number that says how to write a file of it here. Its answer is `hash`, the first 16 hexadecimal
digits of sha256(json.dumps(config, sort_keys=True)), `witness`, what the witness says by the same rule, and `file`. Needs the standard
library only.

A plan is null, true, false, or a list that begins with its kind:
  ["s", [code units]]        text, as UTF-16 code units: lone surrogates too
  ["i", "123"]               an int, of any size
  ["f", "3ff0000000000000"]  a float, its eight bytes
  ["l", [plans]]             a list
  ["o", [[units, plan], …]]  a dict, in the order in which its keys are put in
"""

import hashlib
import json
import struct
import sys


def text_of(units):
    """Pairs of surrogates are one character, as they are for json.loads."""
    return b"".join(struct.pack("<H", unit) for unit in units).decode("utf-16-le", "surrogatepass")


def build(plan):
    if not isinstance(plan, list):
        return plan
    kind, value = plan
    if kind == "s":
        return text_of(value)
    if kind == "i":
        return int(value)
    if kind == "f":
        return struct.unpack(">d", bytes.fromhex(value))[0]
    if kind == "l":
        return [build(item) for item in value]
    return {text_of(key): build(item) for key, item in value}


def config_hash(config):
    return hashlib.sha256(json.dumps(config, sort_keys=True).encode()).hexdigest()[:16]


def spelled(config, spelling):
    """A file as some Python program leaves it; one with a lone surrogate can only be ASCII."""
    text = json.dumps(config, ensure_ascii=spelling % 2 == 0, indent=[None, 1, 2][spelling % 3],
                      separators=(",", ":") if spelling % 5 == 0 else None, sort_keys=spelling % 7 == 0)
    try:
        text.encode()
    except UnicodeEncodeError:
        text = json.dumps(config)
    return text


def answer(case):
    config = build(case["plan"])
    witness = json.loads(case["witness"])
    digest = config_hash(config)
    if config_hash(witness["config"]) != witness["config_hash"]:
        return {"hash": digest, "witness": "its hash is not that of its configuration", "file": ""}
    return {"hash": digest, "witness": witness["config_hash"], "file": spelled(config, case["spelling"])}


if __name__ == "__main__":
    json.dump([answer(case) for case in json.load(sys.stdin)], sys.stdout)
