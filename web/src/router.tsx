import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { BrokenPage, MissingPage } from './parts/failures';
import { PageSkeleton } from './parts/skeletons';
import { agentRoutes } from './routes/agents';
import { home, inside, newPassword, root, signIn, start, tenant } from './routes/base';
import { knowledgeRoutes } from './routes/knowledge';
import { settingsRoutes } from './routes/settings';

const tree = root.addChildren([
  signIn,
  newPassword,
  inside.addChildren([
    start,
    tenant.addChildren([home, ...knowledgeRoutes, ...agentRoutes, ...settingsRoutes]),
  ]),
]);

export function makeRouter(queries: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { queries },
    defaultPreload: 'intent',
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: BrokenPage,
    defaultNotFoundComponent: MissingPage,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
