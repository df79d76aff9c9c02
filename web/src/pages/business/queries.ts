import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { ApiError, api, told } from '../../api/client';
import { getItem, type ItemOf, type KindName, listItems } from './catalogue';

const PAGE = 200;
/** Nothing that is chosen from has more. */
const MOST_CHOICES = 2_000;

export const kindKey = (tenant: string, kind: KindName) => [tenant, 'business', kind];

export const itemsOf = <K extends KindName>(tenant: string, kind: K, active?: boolean) =>
  infiniteQueryOptions({
    queryKey: [...kindKey(tenant, kind), 'list', active ?? 'all'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => listItems(kind, { active, limit: PAGE, cursor: pageParam }),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });

export const itemOf = <K extends KindName>(tenant: string, kind: K, id: string) =>
  queryOptions({
    queryKey: [...kindKey(tenant, kind), 'item', id],
    queryFn: () => getItem(kind, id),
    // A form is filled once; it must not be with what was there a while ago.
    staleTime: 0,
    gcTime: 0,
  });

/** All that can be pointed at from elsewhere, such as the branches of a person. */
export const choicesOf = <K extends KindName>(tenant: string, kind: K) =>
  queryOptions({
    queryKey: [...kindKey(tenant, kind), 'choices'],
    staleTime: 30_000,
    queryFn: async () => {
      const all: ItemOf<K>[] = [];
      let cursor: string | undefined;
      do {
        const page = await listItems(kind, { limit: PAGE, cursor });
        all.push(...page.data);
        cursor = page.next_cursor ?? undefined;
      } while (cursor && all.length < MOST_CHOICES);
      return all;
    },
  });

export const profileOf = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, 'business', 'profile'],
    queryFn: () => told(api.GET('/api/v1/business')),
  });

export const tenantOf = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, 'tenant'],
    staleTime: 60_000,
    queryFn: () => told(api.GET('/api/v1/tenant')),
  });

/** How customers collect points; null where they do not yet, which is no failure to be asked about again. */
export const programmeOf = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, 'business', 'programme'],
    queryFn: async () => {
      try {
        return await told(api.GET('/api/v1/loyalty/programme'));
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
  });
