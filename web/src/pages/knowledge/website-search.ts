import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Schemas } from '../../api/client';

export type PageState = Schemas['WebsitePageState'];
export const PAGE_STATES: readonly PageState[] = ['read', 'waiting', 'skipped', 'failed', 'gone'];

/** The website whose pages are looked at, and which of them. */
type WebsiteSearch = { site?: string | undefined; state?: PageState | undefined };

/** What of websites stands in the address, and what changes it. */
export function useWebsiteSearch() {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const change = (changed: WebsiteSearch) =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) =>
        Object.fromEntries(
          Object.entries({ ...before, ...changed }).filter(([, value]) => value !== undefined),
        ) as never,
      replace: true,
      resetScroll: false,
    });
  return {
    site: typeof search.site === 'string' ? search.site : undefined,
    state: PAGE_STATES.find((state) => state === search.state),
    change,
  };
}
