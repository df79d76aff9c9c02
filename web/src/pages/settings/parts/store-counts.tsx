import { Box, Text } from '@mantine/core';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { useFormats } from '../formats';

/** What there is of something, store by store; what there is none of is left out. */
export function StoreCountList({
  counts,
  tenant,
  none,
}: {
  counts: Schemas['StoreCounts'];
  tenant: string;
  /** What is said where there is nothing at all. */
  none: string;
}) {
  const t = useTexts();
  const { number, bytes } = useFormats(tenant);
  const { rows, files, file_bytes, index_entries } = counts;
  const names: Record<string, string> = t.settings.platform.rows;
  const shown = [
    ...Object.entries(rows).map(([name, count]) => [names[name] ?? name, number(count), count] as const),
    [t.settings.platform.files, `${number(files)} · ${bytes(file_bytes)}`, files] as const,
    [t.settings.platform.indexEntries, number(index_entries ?? 0), index_entries ?? 0] as const,
  ].filter(([, , count]) => count > 0);
  if (shown.length === 0) return <Text size="sm">{none}</Text>;
  return (
    <Box
      component="dl"
      m={0}
      display="grid"
      style={{ gridTemplateColumns: 'repeat(auto-fill, minmax(130px, 1fr))', gap: 8 }}
    >
      {shown.map(([name, count]) => (
        <div key={name}>
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Text component="dd" m={0} size="sm" fw={600}>
            {count}
          </Text>
        </div>
      ))}
    </Box>
  );
}
