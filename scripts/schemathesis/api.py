"""The little that preparing and fuzzing share: a client, and things made to be used up."""

import itertools
import json
import os
import uuid
from pathlib import Path

import requests

TENANT = "fuzz"
PLAN = "boundless"
AGENT = "maya"
N8N_SECRET = "the secret that n8n sends"
ADMIN = "admin@quipu.local"
TENANT_ADMIN = "ana@ejemplo.pe"
PASSWORD = "una frase bastante larga"
LIMITS = {
    "ai_agents_enabled": True,
    "max_agents": None,
    "max_members": None,
    "max_knowledge_bases": None,
    "max_documents_per_kb": None,
    "max_kb_bytes": None,
    "max_storage_bytes": None,
    "monthly_credits": 1_000_000_000,
    "requests_per_minute": 1_000_000,
}

_numbers = itertools.count()


def fresh(prefix: str) -> str:
    """A name that nobody has used."""
    return f"{prefix}-{os.getpid()}-{next(_numbers)}"


class Api:
    """A client that expects success."""

    def __init__(self, url: str, token: str | None = None, tenant: str | None = None):
        self.url = url
        self.token = token
        self.session = requests.Session()
        if token:
            self.session.headers["Authorization"] = f"Bearer {token}"
        if tenant:
            self.session.headers["X-Quipu-Tenant"] = tenant

    def call(self, method: str, path: str, body=None, files=None):
        response = self.session.request(
            method, self.url + path, json=body, files=files, timeout=60
        )
        if not response.ok:
            raise RuntimeError(f"{method} {path}: {response.status_code} {response.text}")
        return response.json() if response.content else None

    def get(self, path: str):
        return self.call("GET", path)

    def post(self, path: str, body=None):
        return self.call("POST", path, body)

    def put(self, path: str, body):
        return self.call("PUT", path, body)

    def sign_in(self, email: str, password: str = PASSWORD) -> str:
        body = {"email": email, "password": password}
        return Api(self.url).post("/api/v1/auth/login", body)["token"]

    # What follows makes things that an operation may then change or destroy.

    def agent(self) -> str:
        return self.post("/api/v1/agents", {"name": "Throw-away", "slug": fresh("agent")})["slug"]

    def document(self, agent: str = AGENT) -> str:
        body = {"content": f"Un texto de usar y tirar: {uuid.uuid4()}."}
        return self.post(f"/api/v1/agents/{agent}/knowledge", body)["id"]

    def knowledge_base(self) -> str:
        return self.post("/api/v1/knowledge-bases", {"name": "Throw-away"})["id"]

    def assigned_knowledge_base(self) -> str:
        kb = self.knowledge_base()
        self.post(f"/api/v1/knowledge-bases/{kb}/assignments", {"agent": AGENT})
        return kb

    def text(self, kb: str) -> str:
        """A text that waits to be processed, because the fuzzed server works on none."""
        body = {"content": f"Un texto de usar y tirar: {uuid.uuid4()}."}
        return self.post(f"/api/v1/knowledge-bases/{kb}/documents/text", body)["id"]

    def cancelled_text(self, kb: str) -> str:
        text = self.text(kb)
        self.post(f"/api/v1/knowledge-bases/{kb}/documents/{text}/cancel")
        return text

    def file(self, kb: str) -> str:
        path = f"/api/v1/knowledge-bases/{kb}/documents"
        content = f"Un archivo de usar y tirar: {uuid.uuid4()}."
        return self.call("POST", path, files={"file": ("nota.txt", content)})["document_id"]

    def job(self) -> str:
        """A job that waits, because the fuzzed server works on none."""
        document = self.document()
        for job in self.get("/api/v1/jobs?status=queued&limit=5")["data"]:
            if job["payload"].get("document_id") == document:
                return job["id"]
        raise RuntimeError("the job of a new document is not at the head of the list")

    def cancelled_job(self) -> str:
        job = self.job()
        self.post(f"/api/v1/jobs/{job}/cancel")
        return job

    def tenant(self) -> str:
        body = {"name": "Throw-away", "slug": fresh("tenant"), "plan": PLAN}
        return self.post("/api/v1/tenants", body)["id"]

    def plan(self) -> str:
        slug = fresh("plan")
        self.put(f"/api/v1/plans/{slug}", {"name": "Throw-away", "limits": LIMITS})
        return slug

    def member(self, role: str = "member") -> dict:
        body = {"email": f"{fresh('p')}@ejemplo.pe", "name": "Throw-away", "role": role}
        return self.post("/api/v1/members", body)

    def person(self, role: str = "member") -> str:
        """The e-mail of somebody new who can sign in."""
        member = self.member(role)
        body = {"reset_token": member["invitation"]["reset_token"], "password": PASSWORD}
        Api(self.url).post("/api/v1/auth/password/reset", body)
        return member["email"]

    def key(self) -> str:
        body = {"name": fresh("key"), "scopes": ["chat"]}
        return self.post("/api/v1/api-keys", body)["id"]

    def secret(self) -> str:
        name = fresh("secret").replace("-", "_")
        self.put(f"/api/v1/secrets/{name}", {"value": "throw-away"})
        return name


def load_state() -> dict:
    return json.loads(Path(os.environ["QUIPU_FUZZ_STATE"]).read_text())
