import { Badge, Box, Group, Text } from '@mantine/core';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { useFormats } from '../formats';
import { StoreCountList } from '../parts/store-counts';

/** What a deletion removed from each store, and that nothing is left. */
export function ReceiptDetails({
  receipt,
  current,
}: {
  receipt: Schemas['DeletionReceipt'];
  current: string;
}) {
  const t = useTexts();
  const { date } = useFormats(current);
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
      <StoreCountList counts={receipt.removed} tenant={current} none={t.settings.platform.nothingRemoved} />
    </Box>
  );
}
