-- On which pages a chunk stands: [[0, 3], [412, 4]] begins on page 3 and goes on, from its character
-- 412, on page 4. Chunks that were cut before have none, and stand on the page they name.
ALTER TABLE chunks ADD COLUMN pages {json} NOT NULL DEFAULT '[]';
