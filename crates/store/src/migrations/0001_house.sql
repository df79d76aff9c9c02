-- The tables of the house. Written once for both databases: {uuid}, {time}, {json} and {bytes}
-- become the type each database has for them.
--
-- References between tenant-owned tables carry tenant_id as well, so that a row can never point
-- into another tenant, whatever the code does. So do unique constraints that a caller can run
-- into: an error must not tell one tenant what another has.

CREATE TABLE plans (
  slug        text PRIMARY KEY,
  name        text NOT NULL,
  limits      {json} NOT NULL,
  created_at  {time} NOT NULL,
  updated_at  {time} NOT NULL
);

CREATE TABLE tenants (
  id            {uuid} PRIMARY KEY,
  slug          text NOT NULL CONSTRAINT tenants_slug_key UNIQUE,
  name          text NOT NULL,
  status        text NOT NULL CHECK (status IN ('active', 'suspended')),
  plan          text NOT NULL REFERENCES plans (slug),
  locale        text NOT NULL,
  time_zone     text NOT NULL,
  -- Hashes of the Idempotency-Key and of the request that made the tenant.
  creation_key  text CONSTRAINT tenants_creation_key_key UNIQUE,
  creation_hash text,
  created_at    {time} NOT NULL,
  updated_at    {time} NOT NULL
);

CREATE TABLE users (
  id                   {uuid} PRIMARY KEY,
  email                text NOT NULL CONSTRAINT users_email_key UNIQUE,
  name                 text NOT NULL,
  password_hash        text,
  status               text NOT NULL CHECK (status IN ('active', 'suspended')),
  super_admin          boolean NOT NULL,
  must_change_password boolean NOT NULL,
  created_at           {time} NOT NULL,
  updated_at           {time} NOT NULL
);

-- Failures are counted by the hash of the address that was tried, known or not, so that a
-- lock-out does not tell which addresses exist.
CREATE TABLE sign_in_failures (
  email_hash      text PRIMARY KEY,
  failures        integer NOT NULL,
  first_failed_at {time} NOT NULL,
  locked_until    {time}
);

CREATE TABLE sessions (
  id         {uuid} PRIMARY KEY,
  user_id    {uuid} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  token_hash text NOT NULL CONSTRAINT sessions_token_hash_key UNIQUE,
  user_agent text,
  created_at {time} NOT NULL,
  expires_at {time} NOT NULL
);
CREATE INDEX sessions_user_idx ON sessions (user_id);

CREATE TABLE password_resets (
  id         {uuid} PRIMARY KEY,
  user_id    {uuid} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  token_hash text NOT NULL CONSTRAINT password_resets_token_hash_key UNIQUE,
  created_at {time} NOT NULL,
  expires_at {time} NOT NULL,
  used_at    {time}
);
CREATE INDEX password_resets_user_idx ON password_resets (user_id);

CREATE TABLE memberships (
  tenant_id  {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  user_id    {uuid} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role       text NOT NULL CHECK (role IN ('admin', 'manager', 'member')),
  status     text NOT NULL CHECK (status IN ('active', 'suspended')),
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL,
  CONSTRAINT memberships_pkey PRIMARY KEY (tenant_id, user_id)
);
CREATE INDEX memberships_user_idx ON memberships (user_id);

CREATE TABLE api_keys (
  id           {uuid} PRIMARY KEY,
  tenant_id    {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  name         text NOT NULL,
  prefix       text NOT NULL,
  key_hash     text NOT NULL CONSTRAINT api_keys_key_hash_key UNIQUE,
  scopes       {json} NOT NULL,
  created_by   {uuid} REFERENCES users (id) ON DELETE CASCADE,
  created_at   {time} NOT NULL,
  expires_at   {time},
  last_used_at {time},
  revoked_at   {time}
);
CREATE INDEX api_keys_tenant_idx ON api_keys (tenant_id, id);

CREATE TABLE secrets (
  tenant_id  {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  name       text NOT NULL,
  sealed     {bytes} NOT NULL,
  mask       text NOT NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL,
  CONSTRAINT secrets_pkey PRIMARY KEY (tenant_id, name)
);

CREATE TABLE credit_entries (
  id         {uuid} PRIMARY KEY,
  tenant_id  {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  amount     bigint NOT NULL,
  reason     text NOT NULL,
  reference  text NOT NULL,
  created_at {time} NOT NULL,
  CONSTRAINT credit_entries_once_key UNIQUE (tenant_id, reason, reference)
);

CREATE TABLE usage_counters (
  tenant_id {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  month     text NOT NULL,
  metric    text NOT NULL,
  value     bigint NOT NULL,
  CONSTRAINT usage_counters_pkey PRIMARY KEY (tenant_id, month, metric)
);

CREATE TABLE agents (
  id                     {uuid} PRIMARY KEY,
  tenant_id              {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  slug                   text NOT NULL,
  name                   text NOT NULL,
  company_name           text NOT NULL,
  language               text NOT NULL,
  enabled                boolean NOT NULL,
  active                 boolean NOT NULL,
  allows_personal_corpus boolean NOT NULL,
  created_at             {time} NOT NULL,
  updated_at             {time} NOT NULL,
  CONSTRAINT agents_tenant_key UNIQUE (tenant_id, id),
  CONSTRAINT agents_slug_key UNIQUE (tenant_id, slug)
);
CREATE UNIQUE INDEX agents_one_active_key ON agents (tenant_id) WHERE active;

CREATE TABLE knowledge_bases (
  id              {uuid} PRIMARY KEY,
  tenant_id       {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  name            text NOT NULL,
  scope           text NOT NULL,
  agent_id        {uuid},
  owner_user_id   {uuid} REFERENCES users (id) ON DELETE CASCADE,
  language        text NOT NULL,
  status          text NOT NULL CHECK (status IN ('active', 'processing', 'archived')),
  last_queried_at {time},
  created_at      {time} NOT NULL,
  updated_at      {time} NOT NULL,
  CONSTRAINT knowledge_bases_tenant_key UNIQUE (tenant_id, id),
  CONSTRAINT knowledge_bases_agent_key UNIQUE (agent_id),
  FOREIGN KEY (tenant_id, agent_id) REFERENCES agents (tenant_id, id) ON DELETE CASCADE,
  CHECK (
    (scope IN ('global', 'business') AND agent_id IS NULL AND owner_user_id IS NULL)
    OR (scope = 'personal' AND agent_id IS NULL AND owner_user_id IS NOT NULL)
    OR (scope = 'agent' AND agent_id IS NOT NULL AND owner_user_id IS NULL)
  )
);

CREATE TABLE assignments (
  id                {uuid} PRIMARY KEY,
  tenant_id         {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  agent_id          {uuid} NOT NULL,
  knowledge_base_id {uuid} NOT NULL,
  priority          integer NOT NULL,
  search_weight     real NOT NULL,
  created_at        {time} NOT NULL,
  CONSTRAINT assignments_once_key UNIQUE (tenant_id, agent_id, knowledge_base_id),
  FOREIGN KEY (tenant_id, agent_id) REFERENCES agents (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, knowledge_base_id) REFERENCES knowledge_bases (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX assignments_kb_idx ON assignments (knowledge_base_id);

CREATE TABLE documents (
  id                {uuid} PRIMARY KEY,
  tenant_id         {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  knowledge_base_id {uuid} NOT NULL,
  title             text,
  source            text NOT NULL,
  status            text NOT NULL CHECK (status IN ('pending', 'processing', 'completed', 'failed')),
  content           text NOT NULL,
  preview           text NOT NULL,
  content_hash      text NOT NULL,
  size_bytes        bigint NOT NULL,
  chunks_count      integer NOT NULL,
  error_message     text,
  created_by        text NOT NULL,
  created_at        {time} NOT NULL,
  updated_at        {time} NOT NULL,
  CONSTRAINT documents_tenant_key UNIQUE (tenant_id, id),
  CONSTRAINT documents_content_key UNIQUE (tenant_id, knowledge_base_id, content_hash),
  FOREIGN KEY (tenant_id, knowledge_base_id) REFERENCES knowledge_bases (tenant_id, id) ON DELETE CASCADE
);

CREATE TABLE chunks (
  id                {uuid} PRIMARY KEY,
  tenant_id         {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  knowledge_base_id {uuid} NOT NULL,
  document_id       {uuid} NOT NULL,
  chunk_index       integer NOT NULL,
  content           text NOT NULL,
  start_char        integer NOT NULL,
  end_char          integer NOT NULL,
  created_at        {time} NOT NULL,
  CONSTRAINT chunks_place_key UNIQUE (document_id, chunk_index),
  FOREIGN KEY (tenant_id, knowledge_base_id) REFERENCES knowledge_bases (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, document_id) REFERENCES documents (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX chunks_kb_idx ON chunks (tenant_id, knowledge_base_id);

CREATE TABLE jobs (
  id               {uuid} PRIMARY KEY,
  tenant_id        {uuid} REFERENCES tenants (id) ON DELETE CASCADE,
  kind             text NOT NULL,
  payload          {json} NOT NULL,
  status           text NOT NULL CHECK (status IN ('queued', 'running', 'succeeded', 'dead', 'cancelled')),
  attempts         integer NOT NULL,
  max_attempts     integer NOT NULL,
  run_at           {time} NOT NULL,
  lease            {uuid},
  lease_until      {time},
  worker           text,
  cancel_requested boolean NOT NULL,
  dedup_key        text,
  last_error       text,
  created_at       {time} NOT NULL,
  updated_at       {time} NOT NULL,
  finished_at      {time},
  -- Nothing runs without a lease, and nothing else has one.
  CHECK ((status = 'running') = (lease IS NOT NULL)),
  CHECK ((lease IS NULL) = (lease_until IS NULL))
);
CREATE INDEX jobs_queued_idx ON jobs (run_at, id) WHERE status = 'queued';
CREATE INDEX jobs_leased_idx ON jobs (lease_until) WHERE status = 'running';
CREATE INDEX jobs_tenant_idx ON jobs (tenant_id, id);
CREATE UNIQUE INDEX jobs_dedup_key ON jobs (tenant_id, kind, dedup_key)
  WHERE status IN ('queued', 'running') AND dedup_key IS NOT NULL;

CREATE TABLE audit_log (
  id         {uuid} PRIMARY KEY,
  tenant_id  {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  actor      text NOT NULL,
  action     text NOT NULL,
  target     text NOT NULL,
  details    {json} NOT NULL,
  request_id text,
  created_at {time} NOT NULL
);
CREATE INDEX audit_log_tenant_idx ON audit_log (tenant_id, id);

CREATE TABLE idempotency_keys (
  tenant_id    {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  actor        text NOT NULL,
  key          text NOT NULL,
  operation    text NOT NULL,
  request_hash text NOT NULL,
  response     {json},
  created_at   {time} NOT NULL,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (tenant_id, actor, key)
);
CREATE INDEX idempotency_keys_age_idx ON idempotency_keys (created_at);
