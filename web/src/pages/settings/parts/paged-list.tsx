import { Button, Stack, Text } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTexts } from '../../../i18n';
import { EmptyState } from '../../../parts/page';
import { ListSkeleton } from '../../../parts/skeletons';
import { LongList } from './long-list';
import { Trouble } from './refusal';

type Pages<T> = UseInfiniteQueryResult<InfiniteData<{ data: T[] }>>;

/** A list that comes in pages: its skeleton, its failure, its emptiness and its next page. */
export function PagedList<T>({
  label,
  list,
  keyOf,
  render,
  matches,
  empty,
}: {
  label: string;
  list: Pages<T>;
  keyOf: (item: T) => string;
  render: (item: T) => ReactNode;
  /** Which of those that are here are wanted, where something is looked for. */
  matches?: ((item: T) => boolean) | undefined;
  empty: ReactNode;
}) {
  const t = useTexts();
  const all = list.data?.pages.flatMap((page) => page.data) ?? [];
  const found = matches ? all.filter(matches) : all;
  if (list.isPending) return <ListSkeleton />;
  return (
    <Stack gap="sm">
      {list.isError && <Trouble error={list.error} again={list.refetch} />}
      {matches && all.length > 0 && (
        <Text size="sm" c="dimmed" role="status">
          {list.hasNextPage
            ? t.settings.foundSoFar(found.length, all.length)
            : t.settings.found(found.length, all.length)}
        </Text>
      )}
      {list.isSuccess && all.length === 0 && empty}
      {found.length === 0 && all.length > 0 && (
        <EmptyState title={t.settings.nothingFound} text={t.settings.nothingFoundText} />
      )}
      {found.length > 0 && <LongList label={label} items={found} keyOf={keyOf} render={render} />}
      {list.hasNextPage && (
        <Button variant="default" onClick={() => list.fetchNextPage()} loading={list.isFetchingNextPage}>
          {t.common.more}
        </Button>
      )}
    </Stack>
  );
}
