import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { BrokenPage, MissingPage } from './parts/failures';
import { PageSkeleton } from './parts/skeletons';
import { agendaRoutes } from './routes/agenda';
import { agentRoutes } from './routes/agents';
import { businesses, home, inside, newPassword, root, signIn, start, tenant, welcome } from './routes/base';
import { businessRoutes } from './routes/business';
import { channelRoutes } from './routes/channels';
import { conversationsRoutes } from './routes/conversations';
import { customersRoutes } from './routes/customers';
import { gapRoutes } from './routes/gaps';
import { knowledgeRoutes } from './routes/knowledge';
import { metricsRoutes } from './routes/metrics';
import { ordersRoutes } from './routes/orders';
import { setPassword, settingsRoutes } from './routes/settings';

const tree = root.addChildren([
  signIn,
  newPassword,
  setPassword,
  inside.addChildren([
    start,
    welcome,
    businesses,
    tenant.addChildren([
      home,
      ...knowledgeRoutes,
      ...gapRoutes,
      ...agentRoutes,
      ...channelRoutes,
      ...settingsRoutes,
      ...conversationsRoutes,
      ...customersRoutes,
      ...agendaRoutes,
      ...ordersRoutes,
      ...businessRoutes,
      ...metricsRoutes,
    ]),
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
