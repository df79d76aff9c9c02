import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenant } from './base';

const HANDOFFS = ['ai', 'pending_human', 'human'] as const;
const STATUSES = ['closed', 'all'] as const;
const CHANNELS = ['whatsapp', 'instagram', 'messenger', 'tiktok', 'voice', 'web'] as const;

/** What an inbox shows: without a status what is open. */
export type InboxSearch = {
  handoff?: (typeof HANDOFFS)[number];
  status?: (typeof STATUSES)[number];
  agent?: string;
  /** Part of the customer's name, telephone number or address. */
  q?: string;
  channel?: (typeof CHANNELS)[number];
};

const list = createRoute({
  getParentRoute: () => tenant,
  path: '/conversations',
  validateSearch: (search: Record<string, unknown>): InboxSearch => {
    const handoff = HANDOFFS.find((one) => one === search.handoff);
    const channel = CHANNELS.find((one) => one === search.channel);
    const status = STATUSES.find((one) => one === search.status);
    return {
      ...(handoff && { handoff }),
      ...(status && { status }),
      ...(channel && { channel }),
      ...(typeof search.agent === 'string' && { agent: search.agent }),
      ...(search.q !== undefined && search.q !== '' && { q: String(search.q) }),
    };
  },
  component: lazyRouteComponent(() => import('../pages/conversations'), 'ConversationsPage'),
});

/** Inside the list, which stays where it was while somebody goes from one thread to the next. */
const thread = createRoute({
  getParentRoute: () => list,
  path: '/$conversation',
  component: lazyRouteComponent(() => import('../pages/conversations/thread'), 'ConversationPage'),
});

export const conversationsRoutes = [list.addChildren([thread])] as const;
