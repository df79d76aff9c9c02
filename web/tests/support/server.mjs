// A real server of its own, on SQLite or on a database of PostgreSQL that is made for it.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SCRIPTS = fileURLToPath(new URL('../../../scripts', import.meta.url));
/** How long a test waits for what takes long on a busy machine. */
export const PATIENCE = 60_000;

export const wait = (milliseconds) => new Promise((later) => setTimeout(later, milliseconds));

export async function until(what, look, seconds = 90) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
    const found = await look();
    if (found) return found;
    await wait(100);
  }
  throw new Error(typeof what === 'function' ? what() : what);
}

export async function freePort() {
  const server = createServer();
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

export const makeFolder = (name) => mkdtemp(join(tmpdir(), `quipu-${name}-`));
export const removeFolder = (folder) => rm(folder, { recursive: true, force: true });

/** A database of its own on the server that a URL names, so that no test meets what another left behind. */
export async function makeDatabase(url) {
  const { stdout } = await run(join(SCRIPTS, 'postgres.sh'), ['bin']);
  const psql = join(stdout.trim(), 'psql');
  const name = `pages_${process.pid}_${Date.now()}`;
  const say = (words) => run(psql, ['-X', '-q', '-d', url, '-c', words]);
  await say(`CREATE DATABASE ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return {
    url: own.href,
    /** Has the database do something that would take the server too long. */
    fill: (words) => run(psql, ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', own.href, '-c', words]),
    drop: () => say(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/**
 * Starts a server and waits until it answers. `folder` holds its data; `database` is a URL of PostgreSQL;
 * `settings` are further variables of its environment.
 */
export async function startServer({ program, folder, database, settings = {} }) {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const words = ['serve', '--data-dir', join(folder, 'data'), '--bind', `127.0.0.1:${port}`];
  if (database) words.push('--database-url', database);
  // What is set for the tests, or for a server of somebody's own, is not meant for this one.
  const around = Object.entries(process.env).filter(([name]) => !name.startsWith('QUIPU_'));
  const env = { ...Object.fromEntries(around), NO_COLOR: '1', ...settings };
  const server = spawn(program, words, { env });
  let printed = '';
  let ended = false;
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (bytes) => {
      printed += bytes;
    });
  }
  server.on('exit', () => {
    ended = true;
  });
  const tail = () => printed.slice(-3000);
  const stop = async () => {
    if (ended) return;
    const gone = once(server, 'exit');
    server.kill();
    const slow = setTimeout(() => server.kill('SIGKILL'), 30_000);
    await gone;
    clearTimeout(slow);
  };
  try {
    await until(
      () => `the server did not answer\n${tail()}`,
      () => {
        if (ended) throw new Error(`the server ended\n${tail()}`);
        return fetch(`${base}/healthz`).then(
          (answer) => answer.ok,
          () => false,
        );
      },
      180,
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    base,
    stop,
    /** What the server wrote to its console, for when something goes wrong. */
    tail,
    /** The password that the first start shows once. */
    oneTime: () =>
      until(
        () => `the server did not say its password\n${tail()}`,
        () => /(?:contraseña|password)[^\n]*?:\s*(\S+)/i.exec(printed)?.[1],
      ),
  };
}
