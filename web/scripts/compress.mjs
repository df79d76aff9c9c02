// Puts compressed copies in the place of each file that gets smaller by it, so that the server never compresses one and the
// program carries none of them twice. Whoever takes neither form is served the gzip one, unpacked. Fails when the first visit
// or the program would become too heavy.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { brotliCompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';

const folder = new URL('../dist/', import.meta.url);
const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
  const path = `${entry.parentPath}/${entry.name}`;
  if (!entry.isFile() || !/\.(js|css|svg|json|webmanifest)$/.test(entry.name)) continue;
  const bytes = await readFile(path);
  const [brotli, gzip] = [brotliCompressSync(bytes, best), gzipSync(bytes, { level: 9 })];
  if (gzip.length >= bytes.length) continue;
  await writeFile(`${path}.gz`, gzip);
  if (brotli.length < gzip.length) await writeFile(`${path}.br`, brotli);
  await rm(path);
}

// What is loaded before anything is shown: the first script, those that it names and one language. Pages are loaded one by one.
const MOST = { js: 250_000, css: 80_000, all: 3_000_000 };
const assets = new Map();
let all = 0;
for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const bytes = await readFile(`${entry.parentPath}/${entry.name}`);
  all += bytes.length;
  if (entry.name.endsWith('.gz')) assets.set(entry.name.slice(0, -3), bytes);
}
const page = await readFile(new URL('index.html', folder), 'utf8');
const first = new Set();
const follow = (name) => {
  const packed = assets.get(name);
  if (!packed || first.has(name)) return;
  first.add(name);
  if (!name.endsWith('.js')) return;
  const named = gunzipSync(packed)
    .toString()
    .matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g);
  for (const [, other] of named) follow(other);
};
for (const [, name] of page.matchAll(/\/assets\/([^"']+)/g)) follow(name);
const size = (end) =>
  [...first].filter((name) => name.endsWith(end)).reduce((sum, name) => sum + assets.get(name).length, 0);
const language = Math.max(
  ...[...assets].filter(([name]) => /^e[sn]-/.test(name)).map(([, bytes]) => bytes.length),
);
const found = { js: size('.js') + language, css: size('.css'), all };
console.log(`First load: ${found.js} bytes of script, ${found.css} of styles. In the program: ${all} bytes.`);
for (const [kind, most] of Object.entries(MOST)) {
  if (!(found[kind] > 0 && found[kind] <= most))
    throw new Error(`${found[kind]} bytes of ${kind}, where ${most} are the most`);
}
