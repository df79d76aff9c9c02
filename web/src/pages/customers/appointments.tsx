import { Badge, Group, Paper, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTexts } from '../../i18n';
import { TextLink } from '../../parts/links';
import { useFormats } from './formats';
import { PartList } from './parts';
import { appointmentsOfLead } from './queries';

const COLOURS = {
  held: 'ochre',
  confirmed: 'teal',
  completed: 'gray',
  cancelled: 'gray',
  no_show: 'ochre',
  expired: 'gray',
} as const;

/** The appointments of one customer; they are changed where the calendar is. */
export function CustomerAppointments({ tenant, lead }: { tenant: string; lead: string }) {
  const t = useTexts();
  const formats = useFormats(tenant);
  const list = useInfiniteQuery(appointmentsOfLead(tenant, lead));
  const rows = list.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <PartList
      list={list}
      empty={rows.length === 0 ? t.customers.noAppointments : undefined}
      link={
        <TextLink to="/t/$tenant/agenda" params={{ tenant }} size="sm">
          {t.customers.toAgenda}
        </TextLink>
      }
    >
      {rows.map((row) => (
        <Paper key={row.id} withBorder p="sm" maw={760}>
          <Group justify="space-between" gap="xs">
            <Text fw={600}>{row.service_name}</Text>
            <Badge variant="light" color={COLOURS[row.status]} tt="none">
              {t.customers.appointmentStatuses[row.status]}
            </Badge>
          </Group>
          <Text size="sm">{formats.fullIn(row.starts_at, row.time_zone)}</Text>
          <Group justify="space-between" gap="xs">
            <Text size="sm" c="dimmed">
              {[row.branch_name, row.staff_name, row.price_min && formats.money(row.price_min)]
                .filter(Boolean)
                .join(' · ')}
            </Text>
            {row.conversation_id && (
              <TextLink
                to="/t/$tenant/conversations/$conversation"
                params={{ tenant, conversation: row.conversation_id }}
                size="sm"
              >
                {t.conversations.seeThread}
              </TextLink>
            )}
          </Group>
        </Paper>
      ))}
    </PartList>
  );
}
