"""Waits until the jobs that the fuzzing left behind are done, and fails when one is given up."""

import re
import sys
import time

from api import TENANT, Api, load_state

state = load_state()
api = Api(state["url"], state["maker"], TENANT)


def jobs(status: str) -> list[dict]:
    """The jobs on documents. Others are for later: they sweep up what was deleted."""
    found, cursor = [], ""
    while cursor is not None:
        page = api.get(f"/api/v1/jobs?status={status}&limit=200{cursor}")
        found += [job for job in page["data"] if job["kind"] == "process_document"]
        cursor = page["next_cursor"] and f"&cursor={page['next_cursor']}"
    return found


patience = time.monotonic() + 240
while jobs("queued") or jobs("running"):
    if time.monotonic() > patience:
        sys.exit(f"The queue does not drain: {api.get('/readyz')['queue']}")
    time.sleep(0.5)
# A document that cannot be read is its own fault, and its job ends with a code that says so.
dead = [job for job in jobs("dead") if not re.fullmatch("[A-Z_]+", job["last_error"] or "")]
if dead:
    sys.exit(f"Jobs were given up: {dead[:3]}")
print("All documents that were accepted were processed.")
