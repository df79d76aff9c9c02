-- The language that somebody reads, wherever they sign in. Nobody has said it who was there before.
ALTER TABLE users ADD COLUMN language text;
