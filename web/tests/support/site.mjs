// A small website on this machine, for the server to read.
import { createServer } from 'node:http';

/** Serves pages by path, with a sitemap that names them all. */
export async function serveSite(pages) {
  const asked = [];
  const server = createServer((request, answer) => {
    const { pathname } = new URL(request.url, 'http://site');
    asked.push(pathname);
    if (pathname === '/sitemap.xml') {
      const places = Object.keys(pages).map(
        (path) => `<url><loc>http://${request.headers.host}${path}</loc></url>`,
      );
      answer.setHeader('Content-Type', 'application/xml');
      answer.end(
        `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${places.join('')}</urlset>`,
      );
    } else if (pages[pathname]) {
      answer.setHeader('Content-Type', 'text/html; charset=utf-8');
      answer.end(pages[pathname]);
    } else {
      answer.statusCode = 404;
      answer.end('nothing here');
    }
  });
  // Servers read from few ports only; this machine has addresses enough for each test to have its own.
  const host = `127.${1 + (process.pid % 250)}.${1 + (Date.now() % 250)}.7`;
  await new Promise((listening, failed) => {
    server.once('error', failed);
    server.listen(8080, host, listening);
  });
  return {
    address: `http://${host}:8080/`,
    asked,
    stop: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(closed);
      }),
  };
}

export const webPage = (title, text) =>
  `<!doctype html><html lang="es"><head><title>${title}</title></head><body><nav>Inicio Contacto</nav><main><h1>${title}</h1>${text
    .split('\n')
    .map((line) => `<p>${line}</p>`)
    .join('')}</main></body></html>`;
