-- What the prompts of agents are made of beyond what was said when they were set.

-- How often a thing of the catalogue was told to a model because it mattered for a message, and when
-- that was last.
ALTER TABLE catalogue_items ADD COLUMN told bigint NOT NULL DEFAULT 0;
ALTER TABLE catalogue_items ADD COLUMN told_at {time};

-- Why the words of a model for a personality were not taken, for the configuration with the hash in
-- polished_hash.
ALTER TABLE prompts ADD COLUMN refused text;
