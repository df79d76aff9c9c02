import { Paper, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { me } from '../../api/session';
import { useTexts } from '../../i18n';
import { Page } from '../../parts/page';
import { agentsOf } from '../agents/queries';
import { basesOf } from '../knowledge/queries';
import { FirstSteps } from './steps';
import { WaitingList } from './waiting';
import { WeekFigures } from './week';

export function HomePage() {
  const t = useTexts();
  const { tenant } = useParams({ from: '/inside/t/$tenant' });
  const user = useQuery(me).data?.user;
  const agents = useQuery(agentsOf(tenant)).data?.data;
  const bases = useQuery(basesOf(tenant)).data?.data;
  const sum = (count: (kb: NonNullable<typeof bases>[number]) => number | undefined) =>
    bases?.reduce((total, kb) => total + (count(kb) ?? 0), 0);
  const figures = [
    [t.home.agents, agents?.length],
    [t.home.knowledge, bases?.length],
    [t.home.documents, sum((kb) => kb.total_documents)],
    [t.home.chunks, sum((kb) => kb.total_chunks)],
  ] as const;
  return (
    <Page title={t.home.title(user?.name ?? '')}>
      <FirstSteps tenant={tenant} />
      <WaitingList tenant={tenant} />
      <WeekFigures tenant={tenant} />
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        {figures.map(([name, figure]) => (
          <Paper key={name} withBorder p="md">
            <Text size="sm" c="dimmed">
              {name}
            </Text>
            <Text fz={28} fw={650}>
              {figure ?? '–'}
            </Text>
          </Paper>
        ))}
      </SimpleGrid>
    </Page>
  );
}
