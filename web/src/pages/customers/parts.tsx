import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { ListSkeleton } from '../../parts/skeletons';

type Listed = {
  isPending: boolean;
  isError: boolean;
  error: unknown;
  refetch: () => unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
};

/** A list on a customer's page, whatever it is of. */
export function PartList({
  list,
  empty,
  link,
  children,
}: {
  list: Listed;
  /** What to say when there is nothing; absent when there is something. */
  empty: string | undefined;
  /** Where everything of the kind is. */
  link?: ReactNode;
  children: ReactNode;
}) {
  const t = useTexts();
  return (
    <Stack gap="xs">
      {list.isError && <FailureNotice error={list.error} again={list.refetch} />}
      {list.isPending && <ListSkeleton rows={3} />}
      {!list.isPending && !list.isError && empty && <Text c="dimmed">{empty}</Text>}
      {children}
      {list.hasNextPage && (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
          {t.common.more}
        </Button>
      )}
      {link}
    </Stack>
  );
}
