import { Badge, Box, Group, Text } from '@mantine/core';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { useFormats } from '../formats';

/** What a deletion removed from each store, and that nothing is left. */
export function ReceiptDetails({
  receipt,
  current,
}: {
  receipt: Schemas['DeletionReceipt'];
  current: string;
}) {
  const t = useTexts();
  const { date, number, bytes } = useFormats(current);
  const { rows, files, file_bytes, index_entries } = receipt.removed;
  const names: Record<string, string> = t.settings.platform.rows;
  const counts = [
    ...Object.entries(rows).map(([name, count]) => [names[name] ?? name, number(count), count] as const),
    [t.settings.platform.files, `${number(files)} · ${bytes(file_bytes)}`, files] as const,
    [t.settings.platform.indexEntries, number(index_entries ?? 0), index_entries ?? 0] as const,
  ].filter(([, , count]) => count > 0);
  return (
    <Box role="status">
      <Group gap="xs" mb="xs">
        <Text fw={600}>{t.settings.platform.receipt}</Text>
        <Badge variant="light" color={receipt.complete ? 'teal' : 'ochre'}>
          {receipt.complete ? t.settings.platform.complete : t.settings.platform.incomplete}
        </Badge>
      </Group>
      <Text size="xs" c="dimmed" mb="xs" style={{ overflowWrap: 'anywhere' }}>
        {date(receipt.deleted_at)} · {receipt.target}
      </Text>
      {counts.length === 0 && <Text size="sm">{t.settings.platform.nothingRemoved}</Text>}
      <Box
        component="dl"
        m={0}
        display="grid"
        style={{ gridTemplateColumns: 'repeat(auto-fill, minmax(150px, 1fr))', gap: 8 }}
      >
        {counts.map(([name, count]) => (
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
    </Box>
  );
}
