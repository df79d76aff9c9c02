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
PROTECTED = {STATE[name] for name in ("tenant", "agent", "document", "user", "platform_user", "key")}
PROTECTED |= {TENANT, PLAN, AGENT, "free", "professional", "enterprise", "n8n_shared_secret"}

# Operations that would end the session that all others need.
ALWAYS_FIXED = {"logout", "end_session", "change_password"}

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
     "add_agent_knowledge")
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
            if value in PROTECTED:
                case.path_parameters[name] = str(uuid.uuid4())


@schemathesis.hook
def after_call(context, case, response):
    # Some requests are sent with a method that the operation does not have.
    if case.method.upper() == case.operation.method.upper():
        answers[f"{operation_id(case)} {response.status_code}"] += 1


@atexit.register
def write_down():
    Path(os.environ["QUIPU_FUZZ_ANSWERS"]).write_text(json.dumps(answers))
