import { Text, Timeline } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { me } from '../../api/session';
import { useTexts } from '../../i18n';
import { agentsOf } from '../agents/queries';
import type { Formats } from './formats';

type Props = {
  tenant: string;
  entries: Schemas['HistoryEntry'][];
  /** What is said of each thing that may have happened. */
  actions: Record<string, string>;
  formats: Formats;
  zone?: string;
};

/** Everything that happened, oldest first, and who did it. */
export function HistoryList({ tenant, entries, actions, formats, zone }: Props) {
  const actorOf = useActors(tenant);
  const isTime = (value: unknown): value is string =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);
  return (
    <Timeline bulletSize={12} lineWidth={2} active={entries.length}>
      {entries.map(({ action, actor, at, details }) => (
        <Timeline.Item key={`${at}-${action}`} title={<Text size="sm">{actions[action] ?? action}</Text>}>
          {isTime(details.from) && isTime(details.to) && (
            <Text size="sm">
              {formats.moment(details.from, zone)} → {formats.moment(details.to, zone)}
            </Text>
          )}
          {typeof details.reason === 'string' && <Text size="sm">«{details.reason}»</Text>}
          <Text size="xs" c="dimmed">
            {actorOf(actor)} · {formats.moment(at, zone)}
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

/** Who the audit log means, as far as whoever reads it may know. */
function useActors(tenant: string) {
  const t = useTexts();
  const self = useQuery(me);
  const agents = useQuery(agentsOf(tenant));
  return (actor: string) => {
    const [kind, id] = actor.split(':');
    if (kind === 'user') return id === self.data?.user.id ? t.agenda.actors.you : t.agenda.actors.team;
    if (kind === 'agent')
      return agents.data?.data.find((agent) => agent.id === id)?.name ?? t.agenda.actors.agent;
    if (kind === 'api_key') return t.agenda.actors.key;
    return t.agenda.actors.house;
  };
}
