-- What a search took to embed its question, and how much of what was found a model is given.
ALTER TABLE retrievals ADD COLUMN embedding_us bigint NOT NULL DEFAULT 0;
ALTER TABLE retrievals ADD COLUMN context_tokens bigint NOT NULL DEFAULT 0;
CREATE INDEX retrievals_agent_idx ON retrievals (tenant_id, agent_id, created_at);

-- Whether something that is known was found for the answer.
ALTER TABLE turns ADD COLUMN used_knowledge boolean NOT NULL DEFAULT false;
