import { Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../i18n';
import { TextLink } from '../../parts/links';
import { ListSkeleton } from '../../parts/skeletons';
import { useFormats } from '../settings/formats';
import { Trouble } from '../settings/parts/refusal';
import { CounterGrid } from '../settings/plan/counters';
import { LimitBar } from '../settings/plan/limits';
import { usageOf } from '../settings/queries';

/** What the whole business used this month, of all agents together. */
export function MonthUsage({ tenant }: { tenant: string }) {
  const t = useTexts();
  const formats = useFormats(tenant);
  const usage = useQuery(usageOf(tenant));
  if (usage.isPending) return <ListSkeleton rows={2} />;
  if (usage.isLoadingError) return <Trouble error={usage.error} again={usage.refetch} />;
  const { counters, credits_balance: credits, limits, month } = usage.data;
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        <Group justify="space-between">
          <Title order={2} size="h4">
            {t.metrics.monthOf(formats.month(month))}
          </Title>
          <TextLink to="/t/$tenant/settings/plan" params={{ tenant }} size="sm">
            {t.metrics.toPlan}
          </TextLink>
        </Group>
        <CounterGrid counters={counters} formats={formats} />
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
          {limits.map((use) => (
            <LimitBar key={use.limit} use={use} formats={formats} />
          ))}
        </SimpleGrid>
        <Text size="sm" c="dimmed">
          {t.metrics.creditsLeft(formats.number(credits))}
        </Text>
      </Stack>
    </Paper>
  );
}
