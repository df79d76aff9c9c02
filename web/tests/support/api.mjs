// The side of the customer and of programs, which has no page.

/** Calls the API as whoever has a token, in a tenant. */
export function caller(base, token, tenant) {
  const send = async (method, path, body, headers = {}) => {
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: {
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(tenant ? { 'X-Quipu-Tenant': tenant } : {}),
        ...(body === undefined || body instanceof FormData ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body === undefined || body instanceof FormData ? body : JSON.stringify(body),
    });
    const text = await answer.text();
    const json = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined;
    return { status: answer.status, text, json };
  };
  const well = async (method, path, body, headers) => {
    const answer = await send(method, path, body, headers);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
  return {
    send,
    get: (path) => well('GET', path),
    post: (path, body = {}, headers) => well('POST', path, body, headers),
    put: (path, body) => well('PUT', path, body),
    patch: (path, body) => well('PATCH', path, body),
    remove: (path) => well('DELETE', path),
    in: (other) => caller(base, token, other),
  };
}

export async function signedIn(base, email, password, tenant) {
  const { token } = await caller(base).post('/api/v1/auth/login', { email, password });
  return caller(base, token, tenant);
}
