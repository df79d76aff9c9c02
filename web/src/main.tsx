import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './styles.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/client';
import { learnLanguage } from './i18n';
import { Dialogs } from './parts/dialogs';
import { makeRouter } from './router';
import { sessionEnd } from './shell/session-end';
import { theme } from './theme';

const onError = (error: unknown) => signInAgain(error);
const queries = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) =>
        !(error instanceof ApiError && error.status >= 400 && error.status < 500) && failures < 2,
    },
  },
});
const router = makeRouter(queries);
const signInAgain = sessionEnd(router, queries);
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
// What locks the page behind a dialog looks for it here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

const root = document.getElementById('root');
if (root) {
  await learnLanguage();
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
        <QueryClientProvider client={queries}>
          <Dialogs>
            <Notifications position="bottom-right" />
            <RouterProvider router={router} />
          </Dialogs>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
