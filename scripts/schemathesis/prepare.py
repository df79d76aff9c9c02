"""Fills a fresh server with what the operations need to find.

Usage: prepare.py URL ONE_TIME_PASSWORD STATE_FILE
"""

import json
import sys
import time
from pathlib import Path

from api import ADMIN, AGENT, LIMITS, N8N_SECRET, PASSWORD, PLAN, TENANT, TENANT_ADMIN, Api

url, one_time_password, state_file = sys.argv[1:]

first = Api(url, Api(url).sign_in(ADMIN, one_time_password))
change = {"current_password": one_time_password, "new_password": PASSWORD}
first.post("/api/v1/auth/password", change)
platform = Api(url, first.token)
platform.put(f"/api/v1/plans/{PLAN}", {"name": "Without bounds", "limits": LIMITS})
body = {"name": "Fuzz", "slug": TENANT, "plan": PLAN}
tenant_id = platform.post("/api/v1/tenants", body)["id"]

admin = Api(url, first.token, TENANT)
invited = admin.post(
    "/api/v1/members", {"email": TENANT_ADMIN, "name": "Ana", "role": "admin"}
)
reset = {"reset_token": invited["invitation"]["reset_token"], "password": PASSWORD}
Api(url).post("/api/v1/auth/password/reset", reset)

agent = admin.post("/api/v1/agents", {"name": "Maya", "slug": AGENT})
text = {"title": "Precios", "content": "La limpieza dental cuesta S/ 120. " * 100}
document = admin.post(f"/api/v1/agents/{AGENT}/knowledge", text)
for _ in range(3):
    admin.document()
admin.put("/api/v1/secrets/n8n_shared_secret", {"value": N8N_SECRET})

kb = admin.knowledge_base()
file = admin.file(kb)
admin.post(f"/api/v1/knowledge-bases/{kb}/assignments", {"agent": AGENT})

# A worker runs beside the server until this is done.
patience = time.monotonic() + 60
for path in (f"/api/v1/agents/{AGENT}/knowledge/stats", f"/api/v1/knowledge-bases/{kb}/stats"):
    while admin.get(path)["documents_pending"]:
        if time.monotonic() > patience:
            sys.exit("The documents are not processed.")
        time.sleep(0.1)
chunks = admin.get(f"/api/v1/knowledge-bases/{kb}/documents/{file}/chunks")

state = {
    "url": url,
    "tenant": tenant_id,
    "agent": agent["id"],
    "document": document["id"],
    "knowledge_base": kb,
    "file": file,
    "chunk": chunks["data"][0]["id"],
    "user": invited["user_id"],
    "platform_user": platform.get("/api/v1/auth/me")["user"]["id"],
    "job": admin.get("/api/v1/jobs")["data"][0]["id"],
    "key": admin.key(),
    "tokens": {
        "admin": admin.sign_in(TENANT_ADMIN),
        "super_admin": admin.sign_in(ADMIN),
    },
    # What hooks use to make throw-away things, apart from what is being fuzzed.
    "maker": admin.sign_in(ADMIN),
}
Path(state_file).write_text(json.dumps(state))
