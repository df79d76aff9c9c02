import { Group, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { ButtonLink } from '../../parts/links';
import { EmptyState, Page } from '../../parts/page';
import { ListSkeleton } from '../../parts/skeletons';
import { GAP_STATUSES, type GapSearch } from '../../routes/gaps';
import { agentsOf } from '../agents/queries';
import { useRights } from '../settings/rights';
import { GapAnswer } from './answer';
import { GapCard } from './card';
import { type Gap, gapsOf } from './queries';

/** What customers ask for and agents do not know, most often asked first. */
export function GapsPage() {
  const t = useTexts();
  const { tenant } = useParams({ from: '/inside/t/$tenant' });
  const search = useSearch({ from: '/inside/t/$tenant/gaps' });
  const navigate = useNavigate();
  const agents = useQuery(agentsOf(tenant)).data?.data ?? [];
  const found = useQuery(gapsOf(tenant, search));
  const change = (changed: GapSearch) => {
    const known = Object.entries({ ...search, ...changed }).filter(([, value]) => value !== undefined);
    void navigate({ to: '.', search: Object.fromEntries(known) as GapSearch, replace: true });
  };
  const status = search.status ?? 'open';
  const decides = useRights(tenant).may('business:write');
  const listed = decides ? found.data?.data.find((gap) => gap.id === search.gap) : undefined;
  // What was answered leaves the list, and stays where it is looked at.
  const [last, keep] = useState<Gap>();
  useEffect(() => {
    if (listed) keep(listed);
  }, [listed]);
  const opened = listed ?? (last?.id === search.gap ? last : undefined);
  const talk = agents[0] && (
    <ButtonLink to="/t/$tenant/agents/$agent" params={{ tenant, agent: agents[0].slug }} variant="default">
      {t.gaps.talk}
    </ButtonLink>
  );
  return (
    <Page title={t.gaps.title} intro={t.gaps.intro}>
      <Group gap="sm" role="group" aria-label={t.gaps.filters}>
        <SegmentedControl
          aria-label={t.gaps.status}
          data={GAP_STATUSES.map((value) => ({ value, label: t.gaps.statuses[value] }))}
          value={status}
          onChange={(value) =>
            change({ status: GAP_STATUSES.find((one) => one === value && one !== 'open'), gap: undefined })
          }
        />
        {agents.length > 1 && (
          <Select
            aria-label={t.gaps.agent}
            placeholder={t.gaps.agent}
            data={agents.map((agent) => ({ value: agent.slug, label: agent.name }))}
            value={search.agent ?? null}
            onChange={(agent) => change({ agent: agent ?? undefined, gap: undefined })}
            clearable
          />
        )}
      </Group>
      {found.isError && <FailureNotice error={found.error} again={found.refetch} />}
      {found.isPending && <ListSkeleton />}
      {found.data?.data.length === 0 && (
        <EmptyState title={t.gaps.none[status]} text={t.gaps.noneText[status]} action={talk} />
      )}
      <Stack gap="sm" aria-live="polite">
        {found.data?.data.map((gap) => (
          <GapCard
            key={gap.id}
            tenant={tenant}
            gap={gap}
            agents={agents}
            open={decides ? () => change({ gap: gap.id }) : undefined}
          />
        ))}
      </Stack>
      {found.data && found.data.total > found.data.data.length && (
        <Text size="sm" c="dimmed">
          {t.gaps.more(found.data.data.length, found.data.total)}
        </Text>
      )}
      {found.data?.truncated && (
        <Text size="sm" c="dimmed">
          {t.gaps.truncated}
        </Text>
      )}
      <GapAnswer tenant={tenant} gap={opened} agents={agents} close={() => change({ gap: undefined })} />
    </Page>
  );
}
