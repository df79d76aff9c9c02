-- Where a conversation with the agent without a model has come to, for its next turn. Conversations of before
-- have none, and are read from what was said in them.
ALTER TABLE conversations ADD COLUMN dialogue text;
