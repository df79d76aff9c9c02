import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { useTexts } from '../i18n';

/** Rows that are on their way. */
export function ListSkeleton({ rows = 5 }: { rows?: number }) {
  const t = useTexts();
  return (
    <Stack gap="xs" aria-busy="true">
      <VisuallyHidden>{t.common.loading}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <Skeleton key={row} height={40} radius="md" />
      ))}
    </Stack>
  );
}

export function PageSkeleton() {
  return (
    <Stack p="md">
      <Skeleton height={32} width={220} radius="md" />
      <ListSkeleton />
    </Stack>
  );
}
