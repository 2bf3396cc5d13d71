"""The least a hook does: an event in, the project found, one episode kept, an answer out."""

import json
import sys

event = json.load(sys.stdin)

import holdfast  # noqa: E402 - the event is read first, as a hook does

with holdfast.open(project=event["cwd"]) as ws:
    kept = ws.session(event["session_id"]).say("user", event["prompt"])

print(json.dumps({"continue": True, "kept": kept.admitted}))
