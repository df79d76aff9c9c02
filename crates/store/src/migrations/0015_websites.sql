-- Whole websites, whose pages are documents of a knowledge base.
CREATE TABLE websites (
  id                 {uuid} PRIMARY KEY,
  tenant_id          {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  knowledge_base_id  {uuid} NOT NULL,
  address            text NOT NULL,
  found_by           text NOT NULL,
  depth              integer NOT NULL,
  include_paths      {json} NOT NULL,
  exclude_paths      {json} NOT NULL,
  max_pages          integer NOT NULL,
  refresh            text NOT NULL,
  status             text NOT NULL,
  error_code         text,
  error_message      text,
  -- Which reading is under way, or was the last, and how far it has come.
  round              integer NOT NULL,
  progress           {json} NOT NULL,
  found_count        integer NOT NULL,
  read_count         integer NOT NULL,
  unchanged_count    integer NOT NULL,
  changed_count      integer NOT NULL,
  removed_count      integer NOT NULL,
  robots_count       integer NOT NULL,
  failed_count       integer NOT NULL,
  last_read_at       {time},
  next_read_at       {time},
  created_by         text NOT NULL,
  created_at         {time} NOT NULL,
  updated_at         {time} NOT NULL,
  CONSTRAINT websites_tenant_key UNIQUE (tenant_id, id),
  CONSTRAINT websites_address_key UNIQUE (tenant_id, knowledge_base_id, address),
  FOREIGN KEY (tenant_id, knowledge_base_id) REFERENCES knowledge_bases (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX websites_due_idx ON websites (next_read_at) WHERE next_read_at IS NOT NULL;

-- The addresses of a website. One that has a document goes with it.
CREATE TABLE website_pages (
  id              {uuid} PRIMARY KEY,
  tenant_id       {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  website_id      {uuid} NOT NULL,
  address         text NOT NULL,
  -- How many links away from the start it was found.
  depth           integer NOT NULL,
  state           text NOT NULL,
  -- The last reading that found it.
  round           integer NOT NULL,
  -- How often that reading has tried it.
  attempts        integer NOT NULL,
  document_id     {uuid},
  content_hash    text,
  etag            text,
  last_modified   text,
  error_code      text,
  error_message   text,
  last_seen_at    {time},
  last_changed_at {time},
  CONSTRAINT website_pages_address_key UNIQUE (tenant_id, website_id, address),
  FOREIGN KEY (tenant_id, website_id) REFERENCES websites (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, document_id) REFERENCES documents (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX website_pages_document_idx ON website_pages (tenant_id, document_id);
CREATE INDEX website_pages_next_idx ON website_pages (tenant_id, website_id, state, attempts, depth, id);
