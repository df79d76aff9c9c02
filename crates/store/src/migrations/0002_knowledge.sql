-- Files, pages and everything that is made of them.
--
-- A document's chunks belong to a generation. Readers see the generation that the document names;
-- the next one is built beside it and takes its place at once.
--
-- The key of what belongs to a document or to a chunk begins with the columns of its reference,
-- all of them: whoever deletes a thousand chunks looks a thousand times for what belongs to one,
-- and SQLite would otherwise look through everything of the tenant.

ALTER TABLE knowledge_bases ADD COLUMN description text;
ALTER TABLE knowledge_bases ADD COLUMN chunking {json} NOT NULL DEFAULT '{}';
ALTER TABLE knowledge_bases ADD COLUMN embedding {json} NOT NULL DEFAULT '{}';
ALTER TABLE knowledge_bases ADD COLUMN tokens_used bigint NOT NULL DEFAULT 0;
ALTER TABLE knowledge_bases ADD COLUMN created_by text;
CREATE INDEX knowledge_bases_owner_idx ON knowledge_bases (owner_user_id) WHERE owner_user_id IS NOT NULL;
CREATE UNIQUE INDEX knowledge_bases_business_key ON knowledge_bases (tenant_id) WHERE scope = 'business';

ALTER TABLE documents ADD COLUMN filename text;
ALTER TABLE documents ADD COLUMN file_type text;
ALTER TABLE documents ADD COLUMN source_url text;
-- Where the original lies in object storage, below the tenant's own prefix.
ALTER TABLE documents ADD COLUMN storage_path text;
-- Counts the originals a document has had, so that a new one never overwrites the old.
ALTER TABLE documents ADD COLUMN storage_version integer NOT NULL DEFAULT 1;
ALTER TABLE documents ADD COLUMN stage text;
ALTER TABLE documents ADD COLUMN progress integer NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN pages_count integer;
ALTER TABLE documents ADD COLUMN tokens_count bigint NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN author text;
ALTER TABLE documents ADD COLUMN document_date text;
ALTER TABLE documents ADD COLUMN category text;
ALTER TABLE documents ADD COLUMN metadata {json} NOT NULL DEFAULT '{}';
ALTER TABLE documents ADD COLUMN enabled boolean NOT NULL DEFAULT true;
-- What readers see; 0 before the first time.
ALTER TABLE documents ADD COLUMN generation integer NOT NULL DEFAULT 0;
-- What is being built. Set with its chunks in one transaction, so that it is whole or not there.
ALTER TABLE documents ADD COLUMN building integer;
ALTER TABLE documents ADD COLUMN building_chunks integer NOT NULL DEFAULT 0;
-- How often it was processed; each time is charged for once.
ALTER TABLE documents ADD COLUMN runs integer NOT NULL DEFAULT 1;
ALTER TABLE documents ADD COLUMN error_code text;
ALTER TABLE documents ADD COLUMN business_type text;
ALTER TABLE documents ADD COLUMN business_id text;
ALTER TABLE documents ADD COLUMN processing_started_at {time};
ALTER TABLE documents ADD COLUMN processing_completed_at {time};
UPDATE documents SET generation = 1, progress = 100 WHERE status = 'completed';
CREATE INDEX documents_kb_idx ON documents (tenant_id, knowledge_base_id, id);
CREATE INDEX documents_changed_idx ON documents (knowledge_base_id, updated_at);
CREATE UNIQUE INDEX documents_business_key ON documents (tenant_id, business_type, business_id)
  WHERE business_type IS NOT NULL;

-- The text of documents that are texts: typed by people, or told by the business.
CREATE TABLE document_sources (
  document_id {uuid} NOT NULL,
  tenant_id   {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  content     text NOT NULL,
  CONSTRAINT document_sources_pkey PRIMARY KEY (tenant_id, document_id),
  FOREIGN KEY (tenant_id, document_id) REFERENCES documents (tenant_id, id) ON DELETE CASCADE
);
INSERT INTO document_sources (document_id, tenant_id, content) SELECT id, tenant_id, content FROM documents;

-- The text that came out of a document. The positions of its chunks point into it.
CREATE TABLE document_texts (
  document_id {uuid} NOT NULL,
  generation  integer NOT NULL,
  tenant_id   {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  content     text NOT NULL,
  CONSTRAINT document_texts_pkey PRIMARY KEY (tenant_id, document_id, generation),
  FOREIGN KEY (tenant_id, document_id) REFERENCES documents (tenant_id, id) ON DELETE CASCADE
);
INSERT INTO document_texts (document_id, generation, tenant_id, content)
  SELECT id, 1, tenant_id, content FROM documents WHERE status = 'completed';
ALTER TABLE documents DROP COLUMN content;

CREATE TABLE document_tags (
  tenant_id   {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  document_id {uuid} NOT NULL,
  tag         text NOT NULL,
  CONSTRAINT document_tags_pkey PRIMARY KEY (tenant_id, document_id, tag),
  FOREIGN KEY (tenant_id, document_id) REFERENCES documents (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX document_tags_tag_idx ON document_tags (tenant_id, tag, document_id);

-- SQLite cannot drop a constraint, so the table is made anew around its rows.
CREATE TABLE generation_chunks (
  id                {uuid} PRIMARY KEY,
  tenant_id         {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  knowledge_base_id {uuid} NOT NULL,
  document_id       {uuid} NOT NULL,
  generation        integer NOT NULL,
  chunk_index       integer NOT NULL,
  content           text NOT NULL,
  content_tokens    integer NOT NULL,
  start_char        integer NOT NULL,
  end_char          integer NOT NULL,
  page_number       integer,
  headings          {json} NOT NULL,
  created_at        {time} NOT NULL,
  CONSTRAINT chunks_tenant_key UNIQUE (tenant_id, id),
  CONSTRAINT chunks_generation_key UNIQUE (tenant_id, document_id, generation, chunk_index),
  FOREIGN KEY (tenant_id, knowledge_base_id) REFERENCES knowledge_bases (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, document_id) REFERENCES documents (tenant_id, id) ON DELETE CASCADE
);
INSERT INTO generation_chunks (id, tenant_id, knowledge_base_id, document_id, generation, chunk_index,
    content, content_tokens, start_char, end_char, page_number, headings, created_at)
  SELECT id, tenant_id, knowledge_base_id, document_id, 1, chunk_index,
    content, 0, start_char, end_char, NULL, '[]', created_at FROM chunks;
DROP TABLE chunks;
ALTER TABLE generation_chunks RENAME TO chunks;
CREATE INDEX chunks_kb_idx ON chunks (tenant_id, knowledge_base_id);

CREATE TABLE chunk_vectors (
  chunk_id          {uuid} NOT NULL,
  model             text NOT NULL,
  tenant_id         {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  knowledge_base_id {uuid} NOT NULL,
  -- 32-bit floats, little-endian, of length 1.
  vector            {bytes} NOT NULL,
  CONSTRAINT chunk_vectors_pkey PRIMARY KEY (tenant_id, chunk_id, model),
  FOREIGN KEY (tenant_id, chunk_id) REFERENCES chunks (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX chunk_vectors_kb_idx ON chunk_vectors (tenant_id, knowledge_base_id);

-- When a job's turn comes. A tenant's jobs follow one another at a distance, so that a tenant with
-- one job does not wait behind another's thousand.
ALTER TABLE jobs ADD COLUMN turn_at {time};
-- The person whose private matter the job is; nobody else sees it.
ALTER TABLE jobs ADD COLUMN owner_user_id {uuid};
UPDATE jobs SET turn_at = run_at;
DROP INDEX jobs_queued_idx;
-- Everything that claiming asks for, so that it passes over the jobs of a tenant that has its share
-- without reading them.
CREATE INDEX jobs_queued_idx ON jobs (turn_at, id, tenant_id, run_at, status) WHERE status = 'queued';
CREATE INDEX jobs_waiting_idx ON jobs (tenant_id, turn_at) WHERE status = 'queued';
CREATE INDEX jobs_running_idx ON jobs (tenant_id) WHERE status = 'running';
-- The work on a document, whatever became of it.
CREATE INDEX jobs_key_idx ON jobs (tenant_id, kind, dedup_key);

-- What was deleted of tenants that are gone, and the proof that nothing is left of them.
CREATE TABLE deletion_receipts (
  id         {uuid} PRIMARY KEY,
  target     text NOT NULL,
  actor      text NOT NULL,
  receipt    {json} NOT NULL,
  request_id text,
  created_at {time} NOT NULL
);
