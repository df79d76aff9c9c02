"""Says for each operation whether it was reached, and fails when too few were.

Usage: report.py OPENAPI_FILE ROLE ANSWERS_FILE
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

ENOUGH = 0.8

document = json.loads(Path(sys.argv[1]).read_text())
role = sys.argv[2]
statuses = defaultdict(dict)
for name, count in json.loads(Path(sys.argv[3]).read_text()).items():
    operation, status = name.split(" ")
    statuses[operation][int(status)] = count

# A tenant's admin is refused what only the platform may do. Without input there is nothing to vary.
open_to_role = []
with_input = []
for path, item in document["paths"].items():
    for method, operation in item.items():
        described = operation.get("summary", "") + operation.get("description", "")
        if role == "super_admin" or "For `super_admin`" not in described:
            open_to_role.append(operation["operationId"])
        if operation.get("parameters") or "requestBody" in operation:
            with_input.append(operation["operationId"])

reached = 0
wrong = []
for operation in sorted(statuses.keys() | set(open_to_role)):
    seen = statuses[operation]
    good = sum(count for status, count in seen.items() if 200 <= status < 300)
    if operation in open_to_role:
        mark = "2xx" if good else "---"
        reached += bool(good)
    else:
        mark = "n/a"
    if any(status >= 500 for status in seen):
        wrong.append(f"{operation} answered with a server error")
    counts = ", ".join(f"{status}: {count}" for status, count in sorted(seen.items()))
    print(f"  {mark}  {operation:<28} {counts}")

share = reached / len(open_to_role)
fewest = min(sum(statuses[name].values()) for name in with_input)
requests = sum(sum(seen.values()) for seen in statuses.values())
print(
    f"{role}: {requests} requests, at least {fewest} to each operation with input; {reached} of {len(open_to_role)} operations "
    f"reached a 2xx ({share:.0%})"
)
if share < ENOUGH:
    wrong.append(f"fewer than {ENOUGH:.0%} of the operations reached a 2xx")
if wrong:
    sys.exit("\n".join(wrong))
