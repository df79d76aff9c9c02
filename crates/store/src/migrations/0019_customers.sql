-- How close a customer was to buying, when that changed, and who or which turn changed it.
CREATE TABLE temperature_changes (
  id                 {uuid} PRIMARY KEY,
  tenant_id          {uuid} NOT NULL,
  lead_id            {uuid} NOT NULL,
  temperature_before text,
  temperature_after  text,
  actor              text NOT NULL,
  -- In which an agent noticed it. A turn may be forgotten before its customer is.
  turn_id            {uuid},
  created_at         {time} NOT NULL,
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX temperature_changes_lead_idx ON temperature_changes (tenant_id, lead_id, id);

-- Customers who turned out to be another one. What came with their conversations still lies in the
-- folder of their name, and goes with whom they are now.
CREATE TABLE lead_merges (
  tenant_id  {uuid} NOT NULL,
  merged_id  {uuid} NOT NULL,
  lead_id    {uuid} NOT NULL,
  moved      {json} NOT NULL,
  actor      text NOT NULL,
  created_at {time} NOT NULL,
  CONSTRAINT lead_merges_pkey PRIMARY KEY (tenant_id, merged_id),
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX lead_merges_lead_idx ON lead_merges (tenant_id, lead_id);
