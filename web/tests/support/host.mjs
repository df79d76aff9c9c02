// A site of a business: pages of another origin than the server's, under a policy that lets nothing in but
// what it names.
import { createServer } from 'node:http';

/** Serves pages by path. What they may load and ask comes from `server` alone. */
export async function serveHost(server, pages) {
  const policy = [
    "default-src 'none'",
    `script-src ${server}`,
    `connect-src ${server}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const host = createServer((request, answer) => {
    const page = pages[new URL(request.url, 'http://host').pathname];
    answer.statusCode = page ? 200 : 404;
    answer.setHeader('Content-Type', 'text/html; charset=utf-8');
    answer.setHeader('Content-Security-Policy', policy);
    answer.end(page ?? '');
  });
  await new Promise((listening, failed) => {
    host.once('error', failed);
    host.listen(0, '127.0.0.1', listening);
  });
  const { port } = host.address();
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((closed) => {
        host.closeAllConnections();
        host.close(closed);
      }),
  };
}

/** A page with the chat in it. */
export const hostPage = (server, connection, language) =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>Clínica</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<script type="module" src="${server}/widget/quipu-chat.js"></script></head>
<body><main><h1>Clínica</h1><p><a href="/otra">Otra página</a></p></main>
<quipu-chat connection="${connection}"></quipu-chat></body></html>`;
