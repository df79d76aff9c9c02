-- The business behind the agent: what it offers, who its customers are, and what they did.

ALTER TABLE agents ADD COLUMN vertical text NOT NULL DEFAULT 'general';

-- Whom a kept answer is about: it is forgotten with them.
ALTER TABLE idempotency_keys ADD COLUMN lead_id {uuid};
CREATE INDEX idempotency_keys_lead_idx ON idempotency_keys (tenant_id, lead_id);

-- Everything a business offers or has to say, one row for each thing. What it is made of depends
-- on its kind and stands in the data; the columns beside it are what things are found by.
CREATE TABLE catalogue_items (
  id         {uuid} PRIMARY KEY,
  tenant_id  {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  kind       text NOT NULL,
  -- The folded name: no two things of a kind have the same.
  name_key   text NOT NULL,
  position   integer NOT NULL,
  active     boolean NOT NULL,
  data       {json} NOT NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL,
  CONSTRAINT catalogue_items_name_key UNIQUE (tenant_id, kind, name_key)
);
CREATE INDEX catalogue_items_kind_idx ON catalogue_items (tenant_id, kind, id);

-- What there is one of in each business: its profile, its loyalty programme.
CREATE TABLE business_settings (
  tenant_id  {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  name       text NOT NULL,
  data       {json} NOT NULL,
  updated_at {time} NOT NULL,
  PRIMARY KEY (tenant_id, name)
);

CREATE TABLE leads (
  id            {uuid} PRIMARY KEY,
  tenant_id     {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  name          text,
  email         text,
  phone         text,
  temperature   text,
  tags          {json} NOT NULL,
  notes         text,
  agent_id      {uuid},
  branch_id     {uuid},
  -- The folded name, address and number, which searches look in.
  search_key    text NOT NULL,
  -- The sum of the lead's loyalty transactions, changed with each of them. It cannot fall below
  -- zero, whoever spends at the same time.
  token_balance bigint NOT NULL DEFAULT 0,
  created_at    {time} NOT NULL,
  updated_at    {time} NOT NULL,
  CONSTRAINT leads_tenant_key UNIQUE (tenant_id, id),
  CONSTRAINT leads_balance_check CHECK (token_balance >= 0)
);

CREATE INDEX leads_agent_idx ON leads (tenant_id, agent_id, id);

-- How a channel knows a lead. One identity is one lead.
CREATE TABLE lead_identities (
  tenant_id   {uuid} NOT NULL,
  channel     text NOT NULL,
  external_id text NOT NULL,
  lead_id     {uuid} NOT NULL,
  created_at  {time} NOT NULL,
  CONSTRAINT lead_identities_pkey PRIMARY KEY (tenant_id, channel, external_id),
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX lead_identities_lead_idx ON lead_identities (tenant_id, lead_id);

CREATE TABLE conversations (
  id              {uuid} PRIMARY KEY,
  tenant_id       {uuid} NOT NULL,
  lead_id         {uuid} NOT NULL,
  agent_id        {uuid},
  channel         text NOT NULL,
  status          text NOT NULL,
  handoff_mode    text NOT NULL,
  handoff_reason  text,
  handoff_by      text,
  handoff_at      {time},
  handoff_user_id {uuid},
  last_message_at {time},
  created_at      {time} NOT NULL,
  updated_at      {time} NOT NULL,
  CONSTRAINT conversations_tenant_key UNIQUE (tenant_id, id),
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX conversations_lead_idx ON conversations (tenant_id, lead_id);
CREATE INDEX conversations_agent_idx ON conversations (tenant_id, agent_id, id);
CREATE INDEX conversations_handoff_idx ON conversations (tenant_id, handoff_mode, id);

CREATE TABLE messages (
  id              {uuid} PRIMARY KEY,
  tenant_id       {uuid} NOT NULL,
  conversation_id {uuid} NOT NULL,
  role            text NOT NULL,
  author          text NOT NULL,
  body            text NOT NULL,
  metadata        {json} NOT NULL,
  created_at      {time} NOT NULL,
  FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX messages_conversation_idx ON messages (tenant_id, conversation_id, id);

-- Files that came with a conversation.
CREATE TABLE attachments (
  id              {uuid} PRIMARY KEY,
  tenant_id       {uuid} NOT NULL,
  conversation_id {uuid} NOT NULL,
  filename        text NOT NULL,
  file_type       text NOT NULL,
  size_bytes      bigint NOT NULL,
  storage_path    text NOT NULL,
  created_at      {time} NOT NULL,
  FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX attachments_conversation_idx ON attachments (tenant_id, conversation_id, id);

-- The data hold everything as it was when it was booked; the columns are what it is found by.
CREATE TABLE appointments (
  id              {uuid} PRIMARY KEY,
  tenant_id       {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  status          text NOT NULL,
  branch_id       {uuid} NOT NULL,
  -- The person, table or branch whose time it takes.
  resource_id     {uuid} NOT NULL,
  -- What is done then; a service that is still needed is not deleted.
  service_id      {uuid},
  lead_id         {uuid},
  conversation_id {uuid},
  starts_at       {time} NOT NULL,
  ends_at         {time} NOT NULL,
  -- With the time kept free before and after.
  held_from       {time} NOT NULL,
  held_to         {time} NOT NULL,
  hold_expires_at {time},
  data            {json} NOT NULL,
  created_at      {time} NOT NULL,
  updated_at      {time} NOT NULL,
  CONSTRAINT appointments_tenant_key UNIQUE (tenant_id, id),
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX appointments_resource_idx ON appointments (tenant_id, resource_id, held_from);
CREATE INDEX appointments_start_idx ON appointments (tenant_id, starts_at);
CREATE INDEX appointments_lead_idx ON appointments (tenant_id, lead_id);

-- The time that appointments take, five minutes a row. No two of them can have the same: this is
-- what makes a double booking impossible, whatever the code does.
CREATE TABLE booked_ticks (
  tenant_id      {uuid} NOT NULL,
  resource_id    {uuid} NOT NULL,
  tick           bigint NOT NULL,
  place          integer NOT NULL,
  appointment_id {uuid} NOT NULL,
  CONSTRAINT booked_ticks_pkey PRIMARY KEY (tenant_id, resource_id, tick, place),
  FOREIGN KEY (tenant_id, appointment_id) REFERENCES appointments (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX booked_ticks_appointment_idx ON booked_ticks (tenant_id, appointment_id);

CREATE TABLE orders (
  id              {uuid} PRIMARY KEY,
  tenant_id       {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  number          bigint NOT NULL,
  status          text NOT NULL,
  branch_id       {uuid},
  lead_id         {uuid},
  conversation_id {uuid},
  total           bigint NOT NULL,
  data            {json} NOT NULL,
  created_at      {time} NOT NULL,
  updated_at      {time} NOT NULL,
  CONSTRAINT orders_tenant_key UNIQUE (tenant_id, id),
  CONSTRAINT orders_number_key UNIQUE (tenant_id, number),
  CONSTRAINT orders_total_check CHECK (total >= 0),
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX orders_lead_idx ON orders (tenant_id, lead_id);
CREATE INDEX orders_status_idx ON orders (tenant_id, status, id);

-- The ledger of tokens: rows are only ever added.
CREATE TABLE loyalty_transactions (
  id          {uuid} PRIMARY KEY,
  tenant_id   {uuid} NOT NULL,
  lead_id     {uuid} NOT NULL,
  -- The place in the lead's ledger, from 1 on: what was earned stands before what was spent of it,
  -- whenever the two began.
  number      bigint NOT NULL,
  kind        text NOT NULL,
  tokens      bigint NOT NULL,
  lapses_at   {time},
  -- What they were for, such as order:<id>. Nothing earns twice.
  source      text,
  description text,
  actor       text NOT NULL,
  created_at  {time} NOT NULL,
  CONSTRAINT loyalty_transactions_source_key UNIQUE (tenant_id, kind, source),
  CONSTRAINT loyalty_transactions_number_key UNIQUE (tenant_id, lead_id, number),
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE
);

CREATE INDEX loyalty_transactions_lapse_idx ON loyalty_transactions (lapses_at)
  WHERE lapses_at IS NOT NULL;

CREATE TABLE redemptions (
  id          {uuid} PRIMARY KEY,
  tenant_id   {uuid} NOT NULL,
  lead_id     {uuid} NOT NULL,
  reward_id   {uuid} NOT NULL,
  reward_name text NOT NULL,
  tokens      bigint NOT NULL,
  discount    {json} NOT NULL,
  code        text NOT NULL,
  status      text NOT NULL,
  order_id    {uuid},
  expires_at  {time},
  created_at  {time} NOT NULL,
  updated_at  {time} NOT NULL,
  CONSTRAINT redemptions_code_key UNIQUE (tenant_id, code),
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX redemptions_lead_idx ON redemptions (tenant_id, lead_id, id);

CREATE TABLE invoice_requests (
  id              {uuid} PRIMARY KEY,
  tenant_id       {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  status          text NOT NULL,
  -- What two writings of one folio share. A ticket is invoiced once.
  folio_key       text NOT NULL,
  lead_id         {uuid},
  data            {json} NOT NULL,
  created_at      {time} NOT NULL,
  updated_at      {time} NOT NULL,
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX invoice_requests_folio_key ON invoice_requests (tenant_id, folio_key)
  WHERE status <> 'rejected';

-- What happened to an appointment, an order, a conversation or a request: rows are only ever added.
CREATE TABLE history (
  id         {uuid} PRIMARY KEY,
  tenant_id  {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  subject    text NOT NULL,
  subject_id {uuid} NOT NULL,
  action     text NOT NULL,
  actor      text NOT NULL,
  details    {json} NOT NULL,
  created_at {time} NOT NULL
);
CREATE INDEX history_subject_idx ON history (tenant_id, subject, subject_id, id);

-- Every call of a tool that changes something, with what came of it.
CREATE TABLE tool_calls (
  id              {uuid} PRIMARY KEY,
  tenant_id       {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  agent_id        {uuid} NOT NULL,
  conversation_id {uuid},
  lead_id         {uuid},
  actor           text NOT NULL,
  tool            text NOT NULL,
  arguments       {json} NOT NULL,
  -- The code of the error, when there was one.
  error_code      text,
  elapsed_us      bigint NOT NULL,
  created_at      {time} NOT NULL,
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX tool_calls_tenant_idx ON tool_calls (tenant_id, id);
CREATE INDEX tool_calls_conversation_idx ON tool_calls (tenant_id, conversation_id, id);
CREATE INDEX tool_calls_lead_idx ON tool_calls (tenant_id, lead_id, created_at);
