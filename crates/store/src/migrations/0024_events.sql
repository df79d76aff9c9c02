-- Where a business wants to be told what happens, and what it is told.

CREATE TABLE event_endpoints (
  id           {uuid} PRIMARY KEY,
  tenant_id    {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  url          text NOT NULL,
  description  text,
  -- What is told; everything when empty.
  kinds        {json} NOT NULL,
  -- What deliveries are signed with.
  sealed       {bytes} NOT NULL,
  active       boolean NOT NULL,
  -- Since when nothing arrives and why, and until when it is left alone for that.
  fault_status integer,
  fault_error  text,
  fault_at     {time},
  retry_at     {time},
  created_by   text NOT NULL,
  created_at   {time} NOT NULL,
  updated_at   {time} NOT NULL,
  CONSTRAINT event_endpoints_tenant_key UNIQUE (tenant_id, id)
);

CREATE TABLE event_deliveries (
  id          {uuid} PRIMARY KEY,
  tenant_id   {uuid} NOT NULL,
  endpoint_id {uuid} NOT NULL,
  kind        text NOT NULL,
  event_id    {uuid} NOT NULL,
  -- Whom it is about. There is no key to them: whoever says something holds the conversation by then, and
  -- whoever deletes a customer holds the customer.
  lead_id     {uuid},
  body        {json} NOT NULL,
  state       text NOT NULL,
  attempts    integer NOT NULL,
  next_at     {time} NOT NULL,
  last_status integer,
  last_error  text,
  created_at  {time} NOT NULL,
  updated_at  {time} NOT NULL,
  CONSTRAINT event_deliveries_tenant_key UNIQUE (tenant_id, id),
  FOREIGN KEY (tenant_id, endpoint_id) REFERENCES event_endpoints (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX event_deliveries_endpoint_idx ON event_deliveries (tenant_id, endpoint_id, state, id);
CREATE INDEX event_deliveries_lead_idx ON event_deliveries (tenant_id, lead_id);
CREATE INDEX event_deliveries_updated_idx ON event_deliveries (updated_at);
