"""What a hook does at every tool call: read an event, find the project, append a line to a log, answer.

It uses only the light modules of the program's own start-up and searches nothing, so the agent does not wait.
"""

import json
import os
import sys

from holdfast.core.paths import data_folder
from holdfast.core.project import read_identity

event = json.load(sys.stdin)
signs = read_identity(event["cwd"])
folder = os.path.join(data_folder(os.environ), "journals")
os.makedirs(folder, mode=0o700, exist_ok=True)

with open(os.path.join(folder, f"{event['session_id']}.jsonl"), "a", encoding="utf-8") as journal:
    journal.write(json.dumps({"project": signs.root, **event}) + "\n")
    journal.flush()
    os.fsync(journal.fileno())

print(json.dumps({"continue": True}))
