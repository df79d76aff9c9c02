// Writes the types of the API that the client is checked against, from the document that a test of the
// server holds against what the server says of itself.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';

const snapshot = new URL('../../crates/server/tests/it/snapshots/it__openapi__openapi.snap', import.meta.url);
const text = await readFile(snapshot, 'utf8');
const [, , document] = text.split(/^---\n/m);
const types = astToString(await openapiTS(JSON.parse(document), { emptyObjectsUnknown: true }));
const folder = new URL('../generated/', import.meta.url);
await mkdir(folder, { recursive: true });
await writeFile(new URL('api.d.ts', folder), types);
