"""What rlprobe finds in recordings: `find.py FOLDER` prints JSON, for each run in the folder [[signature, first step], …]."""

import json
import sys
from pathlib import Path

from rlprobe.doctor import diagnose

runs = sorted(p for p in Path(sys.argv[1]).iterdir() if p.is_dir())
print(json.dumps({run.name: [[f.signature_id, f.first_step] for f in diagnose(run)] for run in runs}))
