"""Waits until the jobs that the fuzzing left behind are done, and fails when one is given up."""

import sys
import time

from api import TENANT, Api, load_state

state = load_state()
api = Api(state["url"], state["maker"], TENANT)
patience = time.monotonic() + 120
while True:
    queue = api.get("/readyz")["queue"]
    if queue["queued"] + queue["running"] == 0:
        break
    if time.monotonic() > patience:
        sys.exit(f"The queue does not drain: {queue}")
    time.sleep(0.2)
dead = api.get("/api/v1/jobs?status=dead")["data"]
if dead:
    sys.exit(f"Jobs were given up: {dead[:3]}")
print("All texts that were accepted were processed.")
