import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/client';
import { me } from '../api/session';
import { texts } from '../i18n';
import type { makeRouter } from '../router';

const SIGN_IN = '/sign-in';

/**
 * Leads whoever is signed in no longer to where they sign in, and back afterwards. A form with unsaved
 * changes asks first; whoever stays to copy them is led there by the next page they open.
 */
export function sessionEnd(router: ReturnType<typeof makeRouter>, queries: QueryClient) {
  let isLeading = false;
  router.subscribe('onResolved', ({ toLocation }) => {
    // Otherwise going back would show the pages of nobody.
    if (isLeading && toLocation.pathname === SIGN_IN) queries.setQueryData(me.queryKey, null);
    isLeading = false;
  });
  return (error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'UNAUTHENTICATED') return;
    const { pathname, href } = router.state.location;
    if (isLeading || pathname === SIGN_IN) return;
    isLeading = true;
    notifications.show({ id: 'session-end', message: texts().common.sessionEnded, color: 'ochre' });
    void router.navigate({ to: SIGN_IN, search: { to: href } });
  };
}
