import { Box, Group, Paper, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { useFormats } from '../formats';
import { PagedList } from '../parts/paged-list';
import { creditsOf } from '../queries';

/** Every credit that came and went, newest first. */
export function CreditLedger({ tenant }: { tenant: string }) {
  const t = useTexts();
  const list = useInfiniteQuery(creditsOf(tenant));
  return (
    <div>
      <Title order={2} size="h4" mb="xs">
        {t.settings.plan.ledger}
      </Title>
      <PagedList
        label={t.settings.plan.ledger}
        list={list}
        keyOf={(entry) => entry.id}
        render={(entry) => <CreditRow tenant={tenant} entry={entry} />}
        empty={<Text c="dimmed">{t.settings.plan.noLedger}</Text>}
      />
    </div>
  );
}

function CreditRow({ tenant, entry }: { tenant: string; entry: Schemas['CreditEntry'] }) {
  const t = useTexts();
  const { date, signed } = useFormats(tenant);
  const reasons: Record<string, string> = t.settings.plan.reasons;
  return (
    <Paper withBorder px="md" py={6}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Box miw={0}>
          <Text size="sm">{reasons[entry.reason] ?? entry.reason}</Text>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {date(entry.created_at)} · {entry.reference}
          </Text>
        </Box>
        <Text size="sm" fw={600} c={entry.amount > 0 ? 'teal' : undefined}>
          {signed(entry.amount)}
        </Text>
      </Group>
    </Paper>
  );
}
