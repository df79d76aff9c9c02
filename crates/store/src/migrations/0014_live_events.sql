-- What changed, for whoever looks at it at the moment: which thing of what kind, and nothing of what it
-- says. A few minutes of it are kept.
CREATE TABLE live_events (
  id            {serial},
  tenant_id     {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  kind          text NOT NULL,
  subject_id    {uuid} NOT NULL,
  -- Of somebody's own knowledge, nobody else hears.
  owner_user_id {uuid}
);
CREATE INDEX live_events_tenant_idx ON live_events (tenant_id);

-- An inbox begins with the conversation in which something was said last.
CREATE INDEX conversations_activity_idx
  ON conversations (tenant_id, COALESCE(last_message_at, created_at), id);
