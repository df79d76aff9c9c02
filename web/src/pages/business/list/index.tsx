import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { useTexts } from '../../../i18n';
import { FailureNotice, MissingPage } from '../../../parts/failures';
import { EmptyState, Page } from '../../../parts/page';
import { ListSkeleton } from '../../../parts/skeletons';
import type { ListSearch } from '../../../routes/business';
import { useRights } from '../../settings/rights';
import type { KindName } from '../catalogue';
import { ItemDrawer, NEW } from '../form/drawer';
import { isKind, kindOf, kindTexts } from '../kinds';
import { itemsOf } from '../queries';
import { useSetting } from '../setting';
import { TableMenu } from '../tables/menu';
import { ListFilters } from './filters';
import { found, inOrder } from './match';
import { ItemRows } from './rows';
import { useShow } from './show';

const ROUTE = '/inside/t/$tenant/business/$kind';

export function KindPage() {
  const { tenant, kind } = useParams({ from: ROUTE });
  return isKind(kind) ? <KindList key={`${tenant}/${kind}`} name={kind} /> : <MissingPage />;
}

/** Everything of a kind, and one of them beside it. */
function KindList({ name }: { name: KindName }) {
  const t = useTexts();
  const { tenant } = useSetting();
  const search = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: '/t/$tenant/business/$kind' });
  const kind = kindOf(name);
  const words = kindTexts(t, name);
  const show = useShow();
  const set = (part: ListSearch, replace = false) =>
    navigate({ search: (before) => ({ ...before, ...part }), replace });

  const [typed, setTyped] = useState(search.q ?? '');
  const [q] = useDebouncedValue(typed.trim(), 200);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address follows what is typed, not the other way round
  useEffect(() => {
    if (q !== (search.q ?? '')) set({ q: q || undefined }, true);
  }, [q]);

  const active = search.active && search.active === 'yes';
  const list = useInfiniteQuery(itemsOf(tenant, name, active));
  const all = useMemo(() => list.data?.pages.flatMap((page) => page.data) ?? [], [list.data]);
  const shown = useMemo(
    () => inOrder(found(all, kind, search.q, search.group), kind),
    [all, kind, search.q, search.group],
  );
  const narrowed = Boolean(search.q || search.group || search.active);
  const empty = list.isSuccess && all.length === 0 && !search.active;
  const writes = useRights(tenant).may('business:write');
  const create = writes && <Button onClick={() => set({ item: NEW })}>{words.create}</Button>;
  const clear = () => {
    setTyped('');
    set({ q: undefined, group: undefined, active: undefined });
  };

  return (
    <Page
      title={words.title}
      intro={words.intro}
      actions={
        <>
          {kind.table && writes && <TableMenu kind={name} />}
          {!empty && create}
        </>
      }
    >
      {list.isError && <FailureNotice error={list.error} again={list.refetch} />}
      {list.isPending && <ListSkeleton />}
      {empty && <EmptyState title={words.emptyTitle} text={words.emptyText} action={create} />}
      {list.data && !empty && (
        <Stack gap="sm">
          <Group gap="xs">
            <TextInput
              aria-label={t.common.search}
              placeholder={t.common.search}
              type="search"
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              style={{ flex: '1 1 200px' }}
            />
            <ListFilters kind={kind} all={all} search={search} set={set} show={show} />
          </Group>
          <Text size="xs" c="dimmed" aria-live="polite">
            {narrowed ? t.business.shown(shown.length, all.length) : t.business.count(all.length)}
            {list.hasNextPage ? ` · ${t.business.moreToLoad}` : ''}
          </Text>
          {shown.length === 0 ? (
            <EmptyState
              title={t.business.noMatch}
              text={list.hasNextPage ? t.business.noMatchYet : t.business.noMatchText}
              action={
                <Button variant="default" onClick={clear}>
                  {t.business.clearFilters}
                </Button>
              }
            />
          ) : (
            <ItemRows kind={kind} items={shown} show={show} />
          )}
          {list.hasNextPage && (
            <Button variant="default" onClick={() => list.fetchNextPage()} loading={list.isFetchingNextPage}>
              {t.common.more}
            </Button>
          )}
        </Stack>
      )}
      <ItemDrawer
        kind={kind}
        id={search.item}
        close={() => set({ item: undefined })}
        show={(id) => set({ item: id }, true)}
      />
    </Page>
  );
}
