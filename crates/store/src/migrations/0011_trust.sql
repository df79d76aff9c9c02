-- To whom keys and links are entrusted, and what ends with whoever made it.

-- The servers, besides its provider's own, that a provider's key may be sent to.
ALTER TABLE secrets ADD COLUMN origins {json} NOT NULL DEFAULT '[]';

-- The key that a key was made with, which it does not outlive.
ALTER TABLE api_keys ADD COLUMN made_with {uuid};
CREATE INDEX api_keys_made_with_idx ON api_keys (tenant_id, made_with);
