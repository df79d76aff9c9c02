import { Alert, Group, Paper, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { ListSkeleton } from '../../parts/skeletons';
import { useNames } from '../conversations/names';
import { useFormats } from './formats';
import { PartList } from './parts';
import { balanceOf, movementsOf } from './queries';

/** What one customer has gathered, and how. */
export function CustomerLoyalty({ tenant, lead }: { tenant: string; lead: string }) {
  const t = useTexts();
  const formats = useFormats(tenant);
  const names = useNames(tenant);
  const balance = useQuery(balanceOf(tenant, lead));
  const list = useInfiniteQuery(movementsOf(tenant, lead));
  const rows = list.data?.pages.flatMap((page) => page.data) ?? [];
  const { data } = balance;
  return (
    <Stack maw={760}>
      {balance.isError && <FailureNotice error={balance.error} again={balance.refetch} />}
      {balance.isPending && <ListSkeleton rows={1} />}
      {data && !data.active && <Alert color="ochre">{t.customers.loyaltyPaused}</Alert>}
      {data && (
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <Figure name={t.customers.balance} value={`${formats.count(data.balance)} ${data.token_name}`} />
          <Figure name={t.customers.spendable} value={formats.count(data.spendable)} />
          <Figure
            name={t.customers.lapses}
            value={
              data.next_lapse
                ? t.customers.lapsesOn(
                    formats.count(data.next_lapse.tokens),
                    formats.brief(data.next_lapse.at),
                  )
                : t.customers.neverLapses
            }
          />
        </SimpleGrid>
      )}
      {data && data.rewards_within_reach.length > 0 && (
        <Stack gap={4}>
          <Title order={2} size="h5">
            {t.customers.rewards}
          </Title>
          {data.rewards_within_reach.map((reward) => (
            <Group key={reward.id} justify="space-between">
              <Text size="sm">{reward.name}</Text>
              <Text size="sm" c="dimmed">
                {formats.count(reward.tokens)} {data.token_name}
              </Text>
            </Group>
          ))}
        </Stack>
      )}
      <Title order={2} size="h5">
        {t.customers.movements}
      </Title>
      <PartList list={list} empty={rows.length === 0 ? t.customers.noMovements : undefined}>
        {rows.length > 0 && (
          <Table.ScrollContainer minWidth={420} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
            <Table aria-label={t.customers.movements}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t.customers.when}</Table.Th>
                  <Table.Th>{t.customers.what}</Table.Th>
                  <Table.Th>{t.customers.who}</Table.Th>
                  <Table.Th ta="right">{data?.token_name}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rows.map((row) => (
                  <Table.Tr key={row.id}>
                    <Table.Td style={{ whiteSpace: 'nowrap' }}>{formats.brief(row.at)}</Table.Td>
                    <Table.Td>
                      {t.customers.movementKinds[row.kind]}
                      {row.description && ` · ${row.description}`}
                    </Table.Td>
                    <Table.Td>{names(row.actor)}</Table.Td>
                    <Table.Td ta="right">
                      {row.tokens > 0 ? '+' : ''}
                      {formats.count(row.tokens)}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </PartList>
    </Stack>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <Paper withBorder p="sm">
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text fw={600}>{value}</Text>
    </Paper>
  );
}
