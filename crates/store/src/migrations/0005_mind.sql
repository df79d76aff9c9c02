-- The agent's mind: how it is set, what it is always told, what it did in each turn, what people
-- made of its answers and what it may learn from them.

-- Everything that has a sensible default, as one document.
ALTER TABLE agents ADD COLUMN settings {json} NOT NULL DEFAULT '{}';

-- What refers to a thing of a catalogue names its tenant with it.
CREATE UNIQUE INDEX catalogue_items_tenant_key ON catalogue_items (tenant_id, id);

-- The instructions that stand in every prompt. There are five places and no more, whoever writes at
-- the same time.
CREATE TABLE prompt_places (
  tenant_id      {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  place          integer NOT NULL,
  instruction_id {uuid} NOT NULL,
  tokens         integer NOT NULL,
  CONSTRAINT prompt_places_pkey PRIMARY KEY (tenant_id, place),
  CONSTRAINT prompt_places_instruction_key UNIQUE (tenant_id, instruction_id),
  CONSTRAINT prompt_places_place_check CHECK (place BETWEEN 1 AND 5),
  CONSTRAINT prompt_places_tokens_check CHECK (tokens BETWEEN 1 AND 300),
  FOREIGN KEY (tenant_id, instruction_id) REFERENCES catalogue_items (tenant_id, id) ON DELETE CASCADE
);

-- The stable part of each agent's prompt as it was last compiled, and what a model made of the
-- personality in it where that is wanted.
CREATE TABLE prompts (
  tenant_id     {uuid} NOT NULL,
  agent_id      {uuid} NOT NULL,
  medium        text NOT NULL,
  language      text NOT NULL,
  hash          text NOT NULL,
  tokens        integer NOT NULL,
  -- The personality in a model's words, for the configuration with this hash.
  polished      text,
  polished_hash text,
  regenerations bigint NOT NULL,
  updated_at    {time} NOT NULL,
  CONSTRAINT prompts_pkey PRIMARY KEY (tenant_id, agent_id, medium, language),
  FOREIGN KEY (tenant_id, agent_id) REFERENCES agents (tenant_id, id) ON DELETE CASCADE
);

-- What happened in each turn. It goes with the lead it was about.
CREATE TABLE turns (
  id              {uuid} PRIMARY KEY,
  tenant_id       {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  agent_id        {uuid} NOT NULL,
  conversation_id {uuid},
  lead_id         {uuid},
  -- Whose private matter it is: nobody else sees it.
  owner_user_id   {uuid},
  -- Who asked, such as user:<id> or api_key:<id>.
  actor           text NOT NULL,
  variant         text,
  intent          text NOT NULL,
  specialist      text NOT NULL,
  responder       text NOT NULL,
  prompt_source   text NOT NULL,
  grounded        boolean NOT NULL,
  degraded        boolean NOT NULL,
  escalated       boolean NOT NULL,
  model_calls     integer NOT NULL,
  tool_calls      integer NOT NULL,
  input_tokens    bigint NOT NULL,
  output_tokens   bigint NOT NULL,
  -- In millionths of a dollar, where the price of the model is known.
  cost            bigint,
  elapsed_us      bigint NOT NULL,
  question        text NOT NULL,
  answer          text NOT NULL,
  trace           {json} NOT NULL,
  created_at      {time} NOT NULL,
  CONSTRAINT turns_tenant_key UNIQUE (tenant_id, id),
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX turns_agent_idx ON turns (tenant_id, agent_id, id);
CREATE INDEX turns_conversation_idx ON turns (tenant_id, conversation_id, id);
CREATE INDEX turns_lead_idx ON turns (tenant_id, lead_id);
CREATE INDEX turns_created_idx ON turns (created_at);

-- What somebody made of an answer, once for each of them.
CREATE TABLE turn_feedback (
  tenant_id  {uuid} NOT NULL,
  turn_id    {uuid} NOT NULL,
  author     text NOT NULL,
  helpful    boolean NOT NULL,
  reason     text,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL,
  CONSTRAINT turn_feedback_pkey PRIMARY KEY (tenant_id, turn_id, author),
  FOREIGN KEY (tenant_id, turn_id) REFERENCES turns (tenant_id, id) ON DELETE CASCADE
);

-- What people answered after an agent had to ask for one, for somebody to approve.
CREATE TABLE learned_answers (
  id              {uuid} PRIMARY KEY,
  tenant_id       {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  agent_id        {uuid},
  conversation_id {uuid},
  status          text NOT NULL,
  question        text NOT NULL,
  answer          text NOT NULL,
  -- The frequent question that an approved one became.
  faq_id          {uuid},
  decided_by      text,
  created_at      {time} NOT NULL,
  updated_at      {time} NOT NULL,
  FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX learned_answers_status_idx ON learned_answers (tenant_id, status, id);
