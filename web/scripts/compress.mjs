// Lays a compressed copy beside each file that gets smaller by it, so that the server never compresses one.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const folder = new URL('../dist/', import.meta.url);
const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
  const path = `${entry.parentPath}/${entry.name}`;
  if (!entry.isFile() || !/\.(js|css|svg|json|webmanifest)$/.test(entry.name)) continue;
  const bytes = await readFile(path);
  for (const [ending, compressed] of [
    ['br', brotliCompressSync(bytes, best)],
    ['gz', gzipSync(bytes, { level: 9 })],
  ]) {
    if (compressed.length < bytes.length) await writeFile(`${path}.${ending}`, compressed);
  }
}
