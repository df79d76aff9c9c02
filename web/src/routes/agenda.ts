import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenant } from './base';

const VIEWS = ['day', 'week', 'resources', 'list'] as const;

export type AgendaView = (typeof VIEWS)[number];

export type AgendaSearch = {
  view?: AgendaView;
  /** A day on the clock of the branch, `YYYY-MM-DD`. */
  date?: string;
  branch?: string;
  staff?: string;
  /** Whether what no longer keeps its time is shown too. */
  all?: boolean;
  appointment?: string;
};

function readSearch(search: Record<string, unknown>): AgendaSearch {
  const text = (name: string) => {
    const value = search[name];
    return typeof value === 'string' && value ? { [name]: value } : {};
  };
  const view = VIEWS.find((one) => one === search.view);
  const date = typeof search.date === 'string' && /^\d{4}-\d\d-\d\d$/.test(search.date) ? text('date') : {};
  return {
    ...(view ? { view } : {}),
    ...date,
    ...text('branch'),
    ...text('staff'),
    ...(search.all === true ? { all: true } : {}),
    ...text('appointment'),
  };
}

const start = createRoute({
  getParentRoute: () => tenant,
  path: '/agenda',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('../pages/agenda'), 'AgendaPage'),
});

export const agendaRoutes = [start] as const;
