-- How each agent was: a version is what was live from one moment on, and the newest is what is live.
CREATE TABLE agent_versions (
  tenant_id     {uuid} NOT NULL,
  agent_id      {uuid} NOT NULL,
  number        integer NOT NULL,
  origin        text NOT NULL,
  -- Everything that decides how the agent answers. No key of a provider is in it.
  configuration {json} NOT NULL,
  note          text,
  made_by       text,
  made_at       {time} NOT NULL,
  restored_from integer,
  CONSTRAINT agent_versions_pkey PRIMARY KEY (tenant_id, agent_id, number),
  CONSTRAINT agent_versions_number_check CHECK (number >= 1),
  FOREIGN KEY (tenant_id, agent_id) REFERENCES agents (tenant_id, id) ON DELETE CASCADE
);

-- How an agent may become: one draft, which customers do not meet before it is published.
CREATE TABLE agent_drafts (
  tenant_id     {uuid} NOT NULL,
  agent_id      {uuid} NOT NULL,
  configuration {json} NOT NULL,
  -- The number of the version that was live when it was begun.
  based_on      integer NOT NULL,
  -- Another one with every change.
  revision      {uuid} NOT NULL,
  changed_by    text NOT NULL,
  changed_at    {time} NOT NULL,
  CONSTRAINT agent_drafts_pkey PRIMARY KEY (tenant_id, agent_id),
  FOREIGN KEY (tenant_id, agent_id) REFERENCES agents (tenant_id, id) ON DELETE CASCADE
);
