import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenant } from './base';

/** Those that an account is connected at, in the order in which they are offered. */
export const CONNECTABLE = ['whatsapp', 'instagram', 'messenger', 'tiktok', 'voice'] as const;
export type Connectable = (typeof CONNECTABLE)[number];

export const DELIVERY_STATES = ['waiting', 'sending', 'sent', 'delivered', 'read', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** What is being connected, and once it is, the connection whose address and test come next. */
export type ConnectSearch = { channel?: Connectable; connection?: string };

export type ConnectionSearch = {
  tab?: string;
  /** Which of the messages that were sent are listed. */
  state?: DeliveryState;
  /** The month whose cost is shown, such as 2026-11. */
  month?: string;
};

const list = createRoute({
  getParentRoute: () => tenant,
  path: '/channels',
  component: lazyRouteComponent(() => import('../pages/channels'), 'ChannelsPage'),
});

const connect = createRoute({
  getParentRoute: () => tenant,
  path: '/channels/connect',
  validateSearch: (search: Record<string, unknown>): ConnectSearch => {
    const channel = CONNECTABLE.find((one) => one === search.channel);
    const { connection } = search;
    return {
      ...(channel && { channel }),
      ...(channel && typeof connection === 'string' && connection && { connection }),
    };
  },
  component: lazyRouteComponent(() => import('../pages/channels/connect'), 'ConnectPage'),
});

const connection = createRoute({
  getParentRoute: () => tenant,
  path: '/channels/$connection',
  validateSearch: (search: Record<string, unknown>): ConnectionSearch => {
    const state = DELIVERY_STATES.find((one) => one === search.state);
    const { tab, month } = search;
    return {
      ...(typeof tab === 'string' && tab && { tab }),
      ...(state && { state }),
      ...(typeof month === 'string' && /^\d{4}-\d\d$/.test(month) && { month }),
    };
  },
  component: lazyRouteComponent(() => import('../pages/channels/connection'), 'ConnectionPage'),
});

export const channelRoutes = [list, connect, connection] as const;
