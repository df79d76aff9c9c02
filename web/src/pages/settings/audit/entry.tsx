import { Box, Button, Collapse, Group, Paper, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { useFormats } from '../formats';
import { KeyValues } from '../parts/key-values';
import type { useNames } from './names';

/** Who did what to what, and the details for whoever wants them. */
export function AuditRow({
  tenant,
  entry,
  names,
}: {
  tenant: string;
  entry: Schemas['AuditEntry'];
  names: ReturnType<typeof useNames>;
}) {
  const t = useTexts();
  const { date } = useFormats(tenant);
  const [open, { toggle }] = useDisclosure();
  const actions: Record<string, string> = t.settings.audit.actions;
  const details = {
    ...entry.details,
    action: entry.action,
    actor: entry.actor,
    target: entry.target,
    ...(entry.request_id ? { request_id: entry.request_id } : {}),
  };
  return (
    <Paper withBorder px="md" py={6}>
      <Group justify="space-between" align="flex-start" gap="xs" wrap="nowrap">
        <Box miw={0}>
          <Text size="sm">
            <b>{names.actor(entry.actor)}</b> · {actions[entry.action] ?? entry.action}
          </Text>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {date(entry.created_at)} · {names.target(entry.target)}
          </Text>
        </Box>
        <Button size="compact-xs" variant="subtle" onClick={toggle} aria-expanded={open} flex="none">
          {t.settings.details}
        </Button>
      </Group>
      <Collapse expanded={open}>{open && <KeyValues values={details} />}</Collapse>
    </Paper>
  );
}
