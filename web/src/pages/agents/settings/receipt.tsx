import { Alert, Button, List, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { useFormats } from '../../customers/formats';

/** What went with an agent, store by store, and that nothing is left. */
export function AgentReceipt({ tenant, receipt }: { tenant: string; receipt: Schemas['DeletionReceipt'] }) {
  const t = useTexts();
  const { count, bytes } = useFormats(tenant);
  const names: Record<string, string> = t.agents.removedRows;
  const { rows, files, file_bytes, index_entries = 0 } = receipt.removed;
  const counted = Object.entries(rows).filter(([, number]) => number > 0);
  const nothing = counted.length === 0 && files === 0 && index_entries === 0;
  return (
    <Stack gap="xs">
      {nothing && <Text size="sm">{t.agents.removedNothing}</Text>}
      <List size="sm">
        {counted.map(([table, number]) => (
          <List.Item key={table}>
            {names[table] ?? table}: {count(number)}
          </List.Item>
        ))}
        {files > 0 && (
          <List.Item>
            {t.agents.removedFiles}: {count(files)} ({bytes(file_bytes)})
          </List.Item>
        )}
        {index_entries > 0 && (
          <List.Item>
            {t.agents.removedEntries}: {count(index_entries)}
          </List.Item>
        )}
      </List>
      <Alert color={receipt.complete ? 'teal' : 'ochre'}>
        {receipt.complete ? t.agents.nothingRemains : t.agents.filesRemain}
      </Alert>
      <Button onClick={() => modals.closeAll()}>{t.common.close}</Button>
    </Stack>
  );
}
