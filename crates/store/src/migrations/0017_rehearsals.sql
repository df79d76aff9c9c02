-- Conversations that a business wrote to try its agents with.
CREATE TABLE rehearsal_scripts (
  id         {uuid} PRIMARY KEY,
  tenant_id  {uuid} NOT NULL,
  agent_id   {uuid} NOT NULL,
  name       text NOT NULL,
  -- The messages of the customer, each with what is expected of its answer.
  steps      {json} NOT NULL,
  -- Whose words it was made of, and goes with.
  conversation_id {uuid},
  created_by text NOT NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL,
  FOREIGN KEY (tenant_id, agent_id) REFERENCES agents (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX rehearsal_scripts_conversation_idx ON rehearsal_scripts (tenant_id, conversation_id);
CREATE INDEX rehearsal_scripts_agent_idx ON rehearsal_scripts (tenant_id, agent_id, id);

CREATE TABLE rehearsal_runs (
  id            {uuid} PRIMARY KEY,
  tenant_id     {uuid} NOT NULL,
  agent_id      {uuid} NOT NULL,
  target        text NOT NULL,
  version       bigint,
  -- The agent as it was when the rehearsal was ordered, and what tells it from others.
  subject       {json} NOT NULL,
  subject_hash  text NOT NULL,
  -- What is played, in this order, and how much of it was.
  pieces        {json} NOT NULL,
  played        bigint NOT NULL,
  state         text NOT NULL CHECK (state IN ('queued', 'running', 'done', 'stopped', 'failed')),
  answers       bigint NOT NULL,
  changed       bigint NOT NULL,
  failed        bigint NOT NULL,
  input_tokens  bigint NOT NULL,
  output_tokens bigint NOT NULL,
  cost_micros   bigint NOT NULL,
  period_from   {time},
  period_to     {time},
  made_by       text NOT NULL,
  created_at    {time} NOT NULL,
  started_at    {time},
  ended_at      {time},
  CONSTRAINT rehearsal_runs_tenant_key UNIQUE (tenant_id, id),
  FOREIGN KEY (tenant_id, agent_id) REFERENCES agents (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX rehearsal_runs_agent_idx ON rehearsal_runs (tenant_id, agent_id, id);
-- One at a time.
CREATE UNIQUE INDEX rehearsal_runs_one_key ON rehearsal_runs (tenant_id, agent_id)
  WHERE state IN ('queued', 'running');

CREATE TABLE rehearsal_results (
  id              {uuid} PRIMARY KEY,
  tenant_id       {uuid} NOT NULL,
  run_id          {uuid} NOT NULL,
  -- A script that is gone leaves its name in the title.
  script_id       {uuid},
  conversation_id {uuid},
  title           text,
  step            bigint NOT NULL,
  question        text NOT NULL,
  answer_before   {json},
  answer_after    {json} NOT NULL,
  expected        bigint NOT NULL,
  failures        {json} NOT NULL,
  failed          boolean NOT NULL,
  changed         boolean NOT NULL,
  verdict         text NOT NULL,
  elapsed_ms      bigint NOT NULL,
  input_tokens    bigint NOT NULL,
  output_tokens   bigint NOT NULL,
  cost_micros     bigint,
  created_at      {time} NOT NULL,
  FOREIGN KEY (tenant_id, run_id) REFERENCES rehearsal_runs (tenant_id, id) ON DELETE CASCADE,
  -- What a customer said goes with the customer.
  FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX rehearsal_results_run_idx ON rehearsal_results (tenant_id, run_id, id);
CREATE INDEX rehearsal_results_script_idx ON rehearsal_results (tenant_id, script_id, id);
CREATE INDEX rehearsal_results_conversation_idx ON rehearsal_results (tenant_id, conversation_id);
