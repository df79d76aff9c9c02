import { Radio, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n';
import { agentsOf } from '../agents/queries';
import { useFormats } from './formats';
import { branchesOf, type Lead } from './queries';

type Field = Schemas['LeadField'];
const FIELDS = ['name', 'phone', 'email', 'temperature', 'agent_id', 'branch_id'] as const satisfies Field[];

/** Both records side by side, and which of them holds where they differ. */
export function MergePreview({
  tenant,
  lead,
  other,
  taken,
  take,
}: {
  tenant: string;
  lead: Lead;
  other: Lead;
  taken: Field[];
  take: (taken: Field[]) => void;
}) {
  const t = useTexts();
  const { count } = useFormats(tenant);
  const agents = useQuery(agentsOf(tenant)).data?.data ?? [];
  const branches = useQuery(branchesOf(tenant)).data?.data ?? [];
  const written = (of: Lead, field: Field): string | undefined => {
    const value = of[field];
    if (!value) return undefined;
    if (field === 'temperature') return t.customers.temperatures[of.temperature ?? 'none'];
    if (field === 'agent_id') return agents.find(({ id }) => id === value)?.name ?? value;
    if (field === 'branch_id') return branches.find(({ id }) => id === value)?.name ?? value;
    return value;
  };
  const rows = FIELDS.map((field) => {
    const [ours, theirs] = [written(lead, field), written(other, field)];
    return { field, ours, theirs, differ: Boolean(ours && theirs && ours !== theirs) };
  }).filter(({ ours, theirs }) => ours || theirs);
  const winner = (field: Field, ours: string | undefined) =>
    !ours || taken.includes(field) ? 'other' : 'lead';
  const choose = (field: Field, side: string) => {
    const rest = taken.filter((one) => one !== field);
    take(side === 'other' ? [...rest, field] : rest);
  };
  const channels = (of: Lead) =>
    of.identities
      .map(({ channel, external_id }) => `${t.customers.channels[channel]} ${external_id}`)
      .join(', ');
  const sums = [
    [t.joining.tags, lead.tags.join(', '), other.tags.join(', ')],
    [t.joining.channels, channels(lead), channels(other)],
    [
      t.joining.points,
      lead.token_balance ? count(lead.token_balance) : '',
      other.token_balance ? count(other.token_balance) : '',
    ],
  ] as const;
  return (
    <Stack gap="xs">
      {rows.some(({ differ }) => differ) && (
        <Text size="sm" c="dimmed">
          {t.joining.choose}
        </Text>
      )}
      <Table layout="fixed" verticalSpacing={6} horizontalSpacing={6} fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="26%">{t.joining.field}</Table.Th>
            <Table.Th>{t.joining.stays}</Table.Th>
            <Table.Th>{t.joining.goes}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ field, ours, theirs, differ }) => (
            <Table.Tr key={field} style={{ overflowWrap: 'anywhere' }}>
              <Table.Th scope="row" fw={400} c="dimmed">
                {t.joining.fields[field]}
              </Table.Th>
              {(['lead', 'other'] as const).map((side) => {
                const value = side === 'lead' ? ours : theirs;
                const wins = winner(field, ours) === side;
                return (
                  <Table.Td key={side}>
                    {differ ? (
                      <Radio
                        name={field}
                        label={value}
                        checked={wins}
                        onChange={() => choose(field, side)}
                        styles={{ label: { fontWeight: wins ? 600 : 400 } }}
                      />
                    ) : (
                      <Text size="sm" fw={value && wins ? 600 : 400} c={value ? undefined : 'dimmed'}>
                        {value ?? t.joining.nothing}
                      </Text>
                    )}
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
          {sums.map(([name, ours, theirs]) =>
            ours || theirs ? (
              <Table.Tr key={name} style={{ overflowWrap: 'anywhere' }}>
                <Table.Th scope="row" fw={400} c="dimmed">
                  {name}
                  <Text size="xs">{t.joining.both}</Text>
                </Table.Th>
                {/* What is added up holds on both sides. */}
                <Table.Td fw={600}>{ours || t.joining.nothing}</Table.Td>
                <Table.Td fw={600}>{theirs || t.joining.nothing}</Table.Td>
              </Table.Tr>
            ) : null,
          )}
        </Table.Tbody>
      </Table>
      {lead.notes && other.notes && (
        <Text size="sm" c="dimmed">
          {t.joining.notes}
        </Text>
      )}
    </Stack>
  );
}
