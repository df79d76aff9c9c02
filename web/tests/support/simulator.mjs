// Stand-ins for the servers of the channels, so that a whole conversation is held without an account anywhere.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort, until } from './server.mjs';

/** Starts the stand-ins. `settings` are the variables by which a server speaks to them. */
export async function startSimulator(program) {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const simulator = spawn(program, ['simulate', '--bind', `127.0.0.1:${port}`], { stdio: 'ignore' });
  let ended = false;
  simulator.on('exit', () => {
    ended = true;
  });
  const stop = async () => {
    if (ended) return;
    const gone = once(simulator, 'exit');
    simulator.kill('SIGKILL');
    await gone;
  };
  const ask = async (method, path, body) => {
    const answer = await fetch(`${base}/simulator/api${path}`, {
      method,
      headers: body ? { 'Content-Type': 'application/json' } : {},
      body: body && JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} of the stand-ins: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
  try {
    await until('the stand-ins did not answer', () => {
      if (ended) throw new Error('the stand-ins ended');
      return ask('GET', '/clock').then(
        () => true,
        () => false,
      );
    });
  } catch (error) {
    await stop();
    throw error;
  }
  const urls = ['GRAPH', 'INSTAGRAM', 'TIKTOK', 'VAPI'].map((name) => [`QUIPU_CHANNELS__${name}_URL`, base]);
  return {
    stop,
    settings: Object.fromEntries(urls),
    /** Has an account there that delivers to us. */
    connect: (account) => ask('POST', '/accounts', account),
    /** Asks our address the question by which a channel makes sure of it. */
    verify: (account) => ask('POST', `/accounts/${account}/verify`),
    /** Writes as a customer. */
    write: (account, customer, text) =>
      ask('POST', `/accounts/${account}/messages`, { customer, kind: 'text', text }),
    messages: async (account) => (await ask('GET', `/accounts/${account}/messages`)).messages,
  };
}
