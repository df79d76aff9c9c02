import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenant } from './base';

const settings = createRoute({
  getParentRoute: () => tenant,
  path: '/settings',
  component: lazyRouteComponent(() => import('../pages/settings'), 'SettingsPage'),
});

export const settingsRoutes = [settings] as const;
