import createClient from 'openapi-fetch';
import type { components, paths } from '../../generated/api';
import { language, texts } from '../i18n';

export type Schemas = components['schemas'];

/** What went wrong, as the server said it to a person. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId?: string,
    readonly details?: Record<string, unknown>,
  ) {
    super(message);
  }
}

let tenant: string | undefined;

/** Which tenant requests are about, by the address of the page. */
export function enterTenant(slug: string | undefined) {
  tenant = slug;
}

/** What every request of ours says. The session is a cookie that no script can read. */
export function headers(): Record<string, string> {
  return { 'Accept-Language': language(), ...(tenant ? { 'X-Quipu-Tenant': tenant } : {}) };
}

export const api = createClient<paths>({ baseUrl: '/', credentials: 'same-origin' });

api.use({
  onRequest({ request }) {
    for (const [name, value] of Object.entries(headers())) request.headers.set(name, value);
    return request;
  },
});

type Outcome<T> = { data?: T; error?: unknown; response: Response };

/** Nothing came back. Browsers say so in words of their own, which nobody is shown. */
export const unreachable = () => new ApiError(0, 'NETWORK', texts().errors.network);

/** What came back, whatever it says. */
export async function reached<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    // Whoever stops a request knows that nothing comes back.
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw unreachable();
  }
}

/** The data of an answer, or the error that the server told. */
export async function told<T>(outcome: Promise<Outcome<T>>): Promise<T> {
  const answer = await reached(outcome);
  if (answer.response.ok) return answer.data as T;
  throw errorOf(answer.response.status, answer.error);
}

export function errorOf(status: number, body: unknown): ApiError {
  const error = (body as Schemas['ErrorBody'] | undefined)?.error;
  if (!error) return new ApiError(status, 'UNKNOWN', texts().errors.title);
  return new ApiError(
    status,
    error.code,
    error.message,
    error.request_id,
    error.details as Record<string, unknown>,
  );
}

/** A key that makes a request that is sent twice have one effect. */
export function once(): { 'Idempotency-Key': string } {
  return { 'Idempotency-Key': crypto.randomUUID() };
}
