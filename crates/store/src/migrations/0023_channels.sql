-- Accounts of a business at channels, whoever writes to them, and what comes in and goes out.

CREATE TABLE channel_connections (
  id               {uuid} PRIMARY KEY,
  tenant_id        {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  channel          text NOT NULL,
  name             text NOT NULL,
  status           text NOT NULL,
  agent_id         {uuid},
  -- The number, page or account as the channel calls it, and the account that holds it.
  account_id       text NOT NULL,
  parent_id        text,
  settings         {json} NOT NULL,
  -- What opens it: its key, what its deliveries are signed with, and the word that verifies its address.
  sealed           {bytes} NOT NULL,
  key_hint         text NOT NULL,
  -- Since when the channel takes nothing from it, and the channel's code for that.
  fault_code       bigint,
  fault_at         {time},
  last_received_at {time},
  last_sent_at     {time},
  created_by       text NOT NULL,
  created_at       {time} NOT NULL,
  updated_at       {time} NOT NULL,
  CONSTRAINT channel_connections_tenant_key UNIQUE (tenant_id, id),
  CONSTRAINT channel_connections_account_key UNIQUE (tenant_id, channel, account_id),
  FOREIGN KEY (tenant_id, agent_id) REFERENCES agents (tenant_id, id)
);

-- Somebody who writes to one connection. A channel may know them by an id, by a number, or by both.
CREATE TABLE channel_contacts (
  id              {uuid} PRIMARY KEY,
  tenant_id       {uuid} NOT NULL,
  connection_id   {uuid} NOT NULL,
  lead_id         {uuid} NOT NULL,
  user_id         text,
  phone           text,
  last_inbound_at {time},
  free_until      {time},
  opted_out_at    {time},
  created_at      {time} NOT NULL,
  updated_at      {time} NOT NULL,
  CONSTRAINT channel_contacts_tenant_key UNIQUE (tenant_id, id),
  CONSTRAINT channel_contacts_user_key UNIQUE (tenant_id, connection_id, user_id),
  CONSTRAINT channel_contacts_phone_key UNIQUE (tenant_id, connection_id, phone),
  CONSTRAINT channel_contacts_known_check CHECK (user_id IS NOT NULL OR phone IS NOT NULL),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES channel_connections (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX channel_contacts_lead_idx ON channel_contacts (tenant_id, lead_id);

-- With whom a conversation is held, and through which connection therefore.
CREATE TABLE channel_talks (
  tenant_id       {uuid} NOT NULL,
  conversation_id {uuid} NOT NULL,
  contact_id      {uuid} NOT NULL,
  CONSTRAINT channel_talks_pkey PRIMARY KEY (tenant_id, conversation_id),
  FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, contact_id) REFERENCES channel_contacts (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX channel_talks_contact_idx ON channel_talks (tenant_id, contact_id, conversation_id);

-- Marks of what was delivered, without anything of what it said: a delivery that comes again is known
-- although its customer was deleted meanwhile.
CREATE TABLE channel_marks (
  tenant_id     {uuid} NOT NULL,
  connection_id {uuid} NOT NULL,
  mark          text NOT NULL,
  seen_at       {time} NOT NULL,
  CONSTRAINT channel_marks_pkey PRIMARY KEY (tenant_id, connection_id, mark),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES channel_connections (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX channel_marks_seen_idx ON channel_marks (seen_at);

CREATE TABLE channel_inbound (
  id            {uuid} PRIMARY KEY,
  tenant_id     {uuid} NOT NULL,
  connection_id {uuid} NOT NULL,
  contact_id    {uuid} NOT NULL,
  external_id   text NOT NULL,
  kind          text NOT NULL,
  event         {json} NOT NULL,
  state         text NOT NULL,
  message_id    {uuid},
  said_at       {time} NOT NULL,
  created_at    {time} NOT NULL,
  CONSTRAINT channel_inbound_tenant_key UNIQUE (tenant_id, id),
  CONSTRAINT channel_inbound_external_key UNIQUE (tenant_id, connection_id, external_id),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES channel_connections (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, contact_id) REFERENCES channel_contacts (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX channel_inbound_contact_idx ON channel_inbound (tenant_id, contact_id, state, said_at, id);

CREATE TABLE channel_outbound (
  id              {uuid} PRIMARY KEY,
  tenant_id       {uuid} NOT NULL,
  connection_id   {uuid} NOT NULL,
  contact_id      {uuid} NOT NULL,
  conversation_id {uuid},
  message_id      {uuid},
  content         {json} NOT NULL,
  by_person       boolean NOT NULL,
  state           text NOT NULL,
  attempts        integer NOT NULL,
  send_after      {time} NOT NULL,
  started_at      {time},
  external_id     text,
  fault           {json},
  category        text,
  cost_micros     bigint,
  created_at      {time} NOT NULL,
  updated_at      {time} NOT NULL,
  CONSTRAINT channel_outbound_tenant_key UNIQUE (tenant_id, id),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES channel_connections (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, contact_id) REFERENCES channel_contacts (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX channel_outbound_contact_idx ON channel_outbound (tenant_id, contact_id, state, id);
CREATE INDEX channel_outbound_external_idx ON channel_outbound (tenant_id, connection_id, external_id);
CREATE INDEX channel_outbound_conversation_idx ON channel_outbound (tenant_id, conversation_id, id);

-- When the agent answers again by itself, while a person answers.
ALTER TABLE conversations ADD COLUMN handoff_returns_at {time};
