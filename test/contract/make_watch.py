"""What rlprobe's watch says of recordings in one look: `make_watch.py FOLDER…` prints JSON, by the recording's path."""

import json
import sys
from pathlib import Path

from rlprobe.doctor.live import RunWatcher


def look(run: Path) -> dict:
    watcher = RunWatcher(run)
    found = watcher.tick()
    again = watcher.tick()
    return {
        "findings": [[f.signature_id, f.severity, f.first_step] for f in found],
        "again": len(again),
        "finished": watcher.finished,
        "exit": 1 if any(f.severity == "critical" for f in watcher.all_findings) else 0,
    }


def main() -> None:
    result = {}
    for folder in map(Path, sys.argv[1:]):
        for run in sorted(folder.iterdir()):
            try:
                result[f"{folder.parent.name}/{run.name}"] = look(run)
            except Exception as error:  # noqa: BLE001 - some recordings are more than it can take
                result[f"{folder.parent.name}/{run.name}"] = {"fails": type(error).__name__}
    print(json.dumps(result, indent=1))


main()
