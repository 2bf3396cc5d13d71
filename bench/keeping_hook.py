"""A minimal hook that stores: read an event, find the project, store one message, answer."""

import json
import sys

event = json.load(sys.stdin)

import holdfast  # noqa: E402 - the event is read first, as in a hook

with holdfast.open(project=event["cwd"]) as ws:
    kept = ws.session(event["session_id"]).say("user", event["prompt"])

print(json.dumps({"continue": True, "kept": kept.admitted}))
