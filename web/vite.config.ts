import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where the server is while the pages are worked on: `make run` in another terminal. */
const SERVER = process.env.QUIPU_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2022',
    // The policy of the pages lets no script stand in a page or an address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // A library looks for a default export that another one does not have, and goes on without.
    rolldownOptions: { checks: { importIsUndefined: false } },
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/v1', '/docs', '/openapi.json', '/readyz'].map((path) => [path, { target: SERVER }]),
    ),
  },
});
