-- What somebody decided about a question that was asked in vain. It goes with the turn.
CREATE TABLE gap_decisions (
  tenant_id  {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  turn_id    {uuid} NOT NULL,
  status     text NOT NULL,
  -- The frequent question that answers it.
  faq_id     {uuid},
  decided_by text NOT NULL,
  decided_at {time} NOT NULL,
  CONSTRAINT gap_decisions_pkey PRIMARY KEY (tenant_id, turn_id),
  FOREIGN KEY (tenant_id, turn_id) REFERENCES turns (tenant_id, id) ON DELETE CASCADE
);
