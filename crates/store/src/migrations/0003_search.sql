-- What search engines read to know what they must know anew.

-- How often what can be found in the knowledge base has changed.
ALTER TABLE knowledge_bases ADD COLUMN index_version bigint NOT NULL DEFAULT 0;
-- The model whose vectors are searched: not always the one that is wanted, because another one's
-- are made behind it.
ALTER TABLE knowledge_bases ADD COLUMN searched_with {json} NOT NULL DEFAULT '{"model": "quipu-es-en/static"}';

-- When each document last changed for those who search, deleted ones included. No two changes of a
-- knowledge base have the same version.
CREATE TABLE index_changes (
  tenant_id         {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  knowledge_base_id {uuid} NOT NULL,
  document_id       {uuid} NOT NULL,
  version           bigint NOT NULL,
  CONSTRAINT index_changes_pkey PRIMARY KEY (tenant_id, knowledge_base_id, document_id),
  FOREIGN KEY (tenant_id, knowledge_base_id) REFERENCES knowledge_bases (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX index_changes_version_idx ON index_changes (tenant_id, knowledge_base_id, version);
INSERT INTO index_changes (tenant_id, knowledge_base_id, document_id, version)
  SELECT tenant_id, knowledge_base_id, id, ROW_NUMBER() OVER (PARTITION BY knowledge_base_id ORDER BY id)
  FROM documents WHERE generation > 0;
UPDATE knowledge_bases SET index_version =
  (SELECT COALESCE(MAX(version), 0) FROM index_changes c WHERE c.knowledge_base_id = knowledge_bases.id);

-- What was searched for, and what came of it.
CREATE TABLE retrievals (
  id                    {uuid} PRIMARY KEY,
  tenant_id             {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  agent_id              {uuid},
  -- Whose private matter it is; nobody else sees it.
  owner_user_id         {uuid},
  actor                 text NOT NULL,
  query                 text NOT NULL,
  chunks                {json} NOT NULL,
  mean_similarity       real NOT NULL,
  total_chunks_searched bigint NOT NULL,
  elapsed_us            bigint NOT NULL,
  degraded              boolean NOT NULL,
  created_at            {time} NOT NULL
);
CREATE INDEX retrievals_tenant_idx ON retrievals (tenant_id, id);
CREATE INDEX retrievals_age_idx ON retrievals (created_at);
