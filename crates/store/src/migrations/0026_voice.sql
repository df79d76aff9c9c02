-- Telephone calls that have ended. A call is stored once, however often it is told of.

CREATE TABLE voice_calls (
  id               {uuid} PRIMARY KEY,
  tenant_id        {uuid} NOT NULL,
  connection_id    {uuid} NOT NULL,
  contact_id       {uuid},
  conversation_id  {uuid},
  external_id      text NOT NULL,
  started_at       {time},
  ended_at         {time},
  duration_seconds bigint,
  ended_reason     text,
  transcript       text,
  summary          text,
  recording_url    text,
  -- In millionths of a dollar.
  cost_micros      bigint,
  created_at       {time} NOT NULL,
  CONSTRAINT voice_calls_tenant_key UNIQUE (tenant_id, id),
  CONSTRAINT voice_calls_external_key UNIQUE (tenant_id, connection_id, external_id),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES channel_connections (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, contact_id) REFERENCES channel_contacts (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX voice_calls_contact_idx ON voice_calls (tenant_id, contact_id);
CREATE INDEX voice_calls_conversation_idx ON voice_calls (tenant_id, conversation_id);
CREATE INDEX voice_calls_connection_idx ON voice_calls (tenant_id, connection_id, id);
