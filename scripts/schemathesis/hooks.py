"""Gives generated requests a chance to succeed, and keeps them from sawing off their own branch.

Most of the time the ids, credentials and references in a request are replaced by ones that exist.
Where an operation changes or destroys something, that something was made for the occasion.
"""

import atexit
import copy
import json
import os
import random
import uuid
from collections import Counter
from pathlib import Path

import schemathesis
from api import ADMIN, AGENT, N8N_SECRET, PASSWORD, PLAN, TENANT, TENANT_ADMIN, Api, fresh, load_state

ROLE = os.environ["QUIPU_FUZZ_ROLE"]
STATE = load_state()
EMAIL = {"admin": TENANT_ADMIN, "super_admin": ADMIN}[ROLE]
TOKEN = STATE["tokens"][ROLE]
MAKER = Api(STATE["url"], STATE["maker"], TENANT)
CHANCE = random.Random(int(os.environ.get("QUIPU_FUZZ_SEED", "1")))
# What must survive, whatever finds its way into a request.
PROTECTED = {
    STATE[name]
    for name in (
        "tenant", "agent", "document", "user", "platform_user", "key", "knowledge_base", "file"
    )
}
PROTECTED |= {TENANT, PLAN, AGENT, "free", "professional", "enterprise", "n8n_shared_secret"}

# Operations that would end the session that all others need.
ALWAYS_FIXED = {"logout", "end_session", "change_password"}
# Operations that would take too long, or ask the network.
ALWAYS_FIXED |= {"follow_knowledge_base", "follow_changes", "add_url_document"}

answers = Counter()
fixes = {}


def fix(*operations):
    def register(function):
        for operation in operations:
            fixes[operation] = function
        return function

    return register


def mostly() -> bool:
    return CHANCE.random() < 0.7


def bearer(case, token: str):
    case.headers["Authorization"] = f"Bearer {token}"


@fix("get_agent", "activate_agent", "list_agent_knowledge", "get_agent_knowledge_stats",
     "add_agent_knowledge", "mcp")
def an_agent(case):
    case.path_parameters["agent"] = CHANCE.choice([AGENT, STATE["agent"]])


@fix("update_agent", "delete_agent")
def an_agent_to_lose(case):
    case.path_parameters["agent"] = MAKER.agent()


@fix("get_agent_document")
def a_document(case):
    an_agent(case)
    case.path_parameters["document_id"] = STATE["document"]


@fix("delete_agent_document")
def a_document_to_lose(case):
    an_agent(case)
    case.path_parameters["document_id"] = MAKER.document()


@fix("get_knowledge_base", "get_knowledge_base_stats", "list_knowledge_base_assignments",
     "search_knowledge_base", "list_documents", "export_documents", "add_text_document")
def a_knowledge_base(case):
    case.path_parameters["kb_id"] = STATE["knowledge_base"]
    if isinstance(case.query, dict):
        case.query.pop("cursor", None)


@fix("create_knowledge_base")
def an_acceptable_configuration(case):
    """Sizes that do not fit together are refused, and there is one model to choose from."""
    if isinstance(case.body, dict):
        case.body.pop("chunking_config", None)
        case.body.pop("embedding_config", None)


@fix("update_knowledge_base", "delete_knowledge_base")
def a_knowledge_base_to_lose(case):
    case.path_parameters["kb_id"] = MAKER.knowledge_base()
    an_acceptable_configuration(case)


@fix("assign_knowledge_base")
def a_knowledge_base_and_an_agent(case):
    a_knowledge_base(case)
    if isinstance(case.body, dict):
        case.body["agent"] = AGENT


@fix("unassign_knowledge_base")
def an_assignment_to_lose(case):
    case.path_parameters.update(kb_id=MAKER.assigned_knowledge_base(), agent=AGENT)


@fix("follow_knowledge_base", "follow_changes")
def a_short_stay(case):
    if "kb_id" in case.path_parameters and mostly():
        a_knowledge_base(case)
    if isinstance(case.query, dict) and isinstance(case.query.get("seconds", 300), int):
        case.query["seconds"] = min(case.query.get("seconds", 300), 1)
    else:
        case.query = {"seconds": 1}


@fix("add_url_document")
def a_page_inside_the_house(case):
    if mostly():
        a_knowledge_base(case)
    if isinstance(case.body, dict) and str(case.body.get("url", "")).startswith("http"):
        case.body["url"] = f"http://127.0.0.1/{uuid.uuid4()}"


@fix("upload_documents", "upload_corpus_documents")
def files_for_a_knowledge_base(case):
    a_knowledge_base(case)
    if isinstance(case.body, dict):
        case.body["file"] = [f"Un texto que nadie subió: {uuid.uuid4()}.".encode()]
        case.body.pop("metadata", None)
        for name in set(case.body) - {"file", "title", "category", "tags"}:
            case.body.pop(name)


@fix("get_document", "get_document_status", "get_document_text", "download_document",
     "list_document_chunks", "get_document_chunk")
def a_file(case):
    a_knowledge_base(case)
    case.path_parameters["document_id"] = STATE["file"]
    if "chunk_id" in case.path_parameters:
        case.path_parameters["chunk_id"] = STATE["chunk"]


@fix("update_document", "delete_document", "cancel_document", "replace_document_text")
def a_text_to_lose(case):
    a_knowledge_base(case)
    case.path_parameters["document_id"] = MAKER.text(STATE["knowledge_base"])
    if isinstance(case.body, dict) and "content" in case.body:
        case.body["content"] = f"Otro texto: {uuid.uuid4()}."


@fix("reprocess_document")
def a_text_that_failed(case):
    a_knowledge_base(case)
    case.path_parameters["document_id"] = MAKER.cancelled_text(STATE["knowledge_base"])


@fix("replace_document_file")
def a_file_to_lose(case):
    a_knowledge_base(case)
    case.path_parameters["document_id"] = MAKER.file(STATE["knowledge_base"])
    if isinstance(case.body, dict):
        case.body = {"file": f"Otro archivo: {uuid.uuid4()}.".encode()}


@fix("delete_documents", "reprocess_documents")
def texts_to_lose(case):
    a_knowledge_base(case)
    if isinstance(case.body, dict) and isinstance(case.body.get("document_ids"), list):
        case.body["document_ids"] = [MAKER.cancelled_text(STATE["knowledge_base"])]


@fix("chat")
def a_question(case):
    an_agent(case)
    if isinstance(case.body, dict):
        case.body.pop("project_id", None)


@fix("rag_search")
def the_shared_secret(case):
    case.headers["X-N8N-Secret"] = N8N_SECRET
    if isinstance(case.body, dict):
        case.body.update(projectId=TENANT, agentId=AGENT)


@fix("login")
def credentials(case):
    if isinstance(case.body, dict):
        case.body.update(email=EMAIL, password=PASSWORD)


@fix("logout")
def a_session_to_end(case):
    bearer(case, MAKER.sign_in(EMAIL))


@fix("end_session")
def another_session(case):
    """Of somebody else: the sessions of whoever fuzzes are in listings, and must not be ended."""
    token = MAKER.sign_in(MAKER.person())
    bearer(case, token)
    if mostly():
        (session,) = Api(STATE["url"], token).get("/api/v1/auth/sessions")
        case.path_parameters["session_id"] = session["id"]


@fix("change_password")
def a_password_to_change(case):
    bearer(case, MAKER.sign_in(MAKER.person()))
    if isinstance(case.body, dict) and mostly():
        case.body["current_password"] = PASSWORD


@fix("reset_password")
def a_reset_token(case):
    if isinstance(case.body, dict):
        case.body["reset_token"] = MAKER.member()["invitation"]["reset_token"]


@fix("get_tenant", "grant_credits")
def a_tenant(case):
    case.path_parameters["tenant_id"] = STATE["tenant"]


@fix("update_tenant", "delete_tenant")
def a_tenant_to_lose(case):
    case.path_parameters["tenant_id"] = MAKER.tenant()
    a_real_place(case)
    if isinstance(case.body, dict) and "plan" in case.body:
        case.body["plan"] = PLAN


@fix("create_tenant")
def a_plan_that_exists(case):
    a_real_place(case)
    if isinstance(case.body, dict):
        case.body["plan"] = PLAN


@fix("update_current_tenant")
def a_real_place(case):
    if isinstance(case.body, dict) and "time_zone" in case.body:
        case.body["time_zone"] = CHANCE.choice(["America/Lima", "UTC", "Europe/Madrid"])


@fix("get_user")
def a_user(case):
    case.path_parameters["user_id"] = STATE["user"]


@fix("update_user", "issue_user_reset_token", "update_member", "remove_member",
     "issue_member_reset_token")
def a_person_to_lose(case):
    case.path_parameters["user_id"] = MAKER.member()["user_id"]


@fix("get_member")
def a_member(case):
    case.path_parameters["user_id"] = STATE["user"]


@fix("invite_member")
def a_new_address(case):
    if isinstance(case.body, dict):
        case.body["email"] = f"{fresh('i')}@ejemplo.pe"


@fix("put_plan", "delete_plan")
def a_plan_to_lose(case):
    case.path_parameters["plan_slug"] = MAKER.plan()


@fix("create_api_key")
def an_acceptable_key(case):
    if isinstance(case.body, dict):
        case.body.pop("expires_at", None)
        if isinstance(case.body.get("scopes"), list):
            unique = {json.dumps(scope): scope for scope in case.body["scopes"]}
            case.body["scopes"] = list(unique.values())


@fix("get_api_key")
def a_key(case):
    case.path_parameters["api_key_id"] = STATE["key"]


@fix("revoke_api_key")
def a_key_to_lose(case):
    case.path_parameters["api_key_id"] = MAKER.key()


@fix("put_secret", "delete_secret")
def a_secret_to_lose(case):
    case.path_parameters["secret_name"] = MAKER.secret()


@fix("get_job")
def a_job(case):
    case.path_parameters["job_id"] = STATE["job"]


@fix("cancel_job")
def a_waiting_job(case):
    case.path_parameters["job_id"] = MAKER.job()


@fix("retry_job")
def a_cancelled_job(case):
    case.path_parameters["job_id"] = MAKER.cancelled_job()


def operation_id(case) -> str:
    return case.operation.definition.raw["operationId"]


def is_destructive(operation: str) -> bool:
    return fixes.get(operation, a_job).__name__.endswith("_to_lose")


def spare(value):
    """The value without the ids of what must survive."""
    if isinstance(value, list):
        return [spare(item) for item in value]
    return str(uuid.uuid4()) if isinstance(value, str) and value in PROTECTED else value


@schemathesis.hook
def before_call(context, case, kwargs):
    operation = operation_id(case)
    # Cases share what they are made of, and a change to one must not be found in the next.
    case.body = copy.deepcopy(case.body)
    case.path_parameters = dict(case.path_parameters)
    if CHANCE.random() < 0.95:
        bearer(case, TOKEN)
    if mostly() or ROLE == "super_admin" and "X-Quipu-Tenant" not in case.headers:
        case.headers["X-Quipu-Tenant"] = TENANT
    if "Idempotency-Key" in case.headers and mostly():
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
    if operation in ALWAYS_FIXED or operation in fixes and mostly():
        fixes[operation](case)
    elif is_destructive(operation):
        for name, value in case.path_parameters.items():
            case.path_parameters[name] = spare(value)
        if isinstance(case.body, dict) and "document_ids" in case.body:
            case.body["document_ids"] = spare(case.body["document_ids"])


@schemathesis.hook
def after_call(context, case, response):
    # Some requests are sent with a method that the operation does not have.
    if case.method.upper() == case.operation.method.upper():
        answers[f"{operation_id(case)} {response.status_code}"] += 1


@atexit.register
def write_down():
    Path(os.environ["QUIPU_FUZZ_ANSWERS"]).write_text(json.dumps(answers))
