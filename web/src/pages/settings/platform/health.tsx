import { Paper, SimpleGrid, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTexts } from '../../../i18n';
import { ListSkeleton } from '../../../parts/skeletons';
import { useFormats } from '../formats';
import { KeyFacts } from '../parts/key-facts';
import { RestrictedPage, Trouble } from '../parts/refusal';
import { readiness } from '../queries';

export function HealthPage() {
  const t = useTexts();
  const { tenant } = useParams({ from: '/inside/t/$tenant' });
  return (
    <RestrictedPage
      tenant={tenant}
      needs="platform"
      title={t.settings.sections.health}
      intro={t.settings.platform.healthIntro}
    >
      <HealthReport tenant={tenant} />
    </RestrictedPage>
  );
}

function HealthReport({ tenant }: { tenant: string }) {
  const t = useTexts();
  const { number } = useFormats(tenant);
  const health = useQuery(readiness);
  if (health.isPending) return <ListSkeleton rows={3} />;
  if (health.isLoadingError) return <Trouble error={health.error} again={health.refetch} />;
  const { status, database, queue, search } = health.data;
  const isReady = status === 'ready';
  const counts = ['queued', 'running', 'dead', 'expired'] as const;
  return (
    <>
      <Paper withBorder p="md">
        <div role="status">
          <Title order={2} size="h4" mb="sm" c={isReady ? undefined : 'ochre'}>
            {isReady ? t.settings.platform.ready : t.settings.platform.degraded}
          </Title>
        </div>
        <KeyFacts
          facts={[
            [t.settings.platform.database, database],
            [t.settings.platform.engine, search.engine],
            [
              t.settings.platform.searchState,
              search.available ? t.settings.platform.answers : t.settings.platform.silent,
            ],
          ]}
        />
      </Paper>
      <div>
        <Title order={2} size="h4" mb="xs">
          {t.settings.platform.queue}
        </Title>
        <SimpleGrid cols={{ base: 2, sm: 4 }}>
          {counts.map((name) => (
            <Paper key={name} withBorder p="md">
              <Text size="sm" c="dimmed">
                {t.settings.platform.queueStates[name]}
              </Text>
              <Text fz={28} fw={650} c={name === 'dead' && queue.dead > 0 ? 'red' : undefined}>
                {number(queue[name])}
              </Text>
            </Paper>
          ))}
        </SimpleGrid>
      </div>
    </>
  );
}
