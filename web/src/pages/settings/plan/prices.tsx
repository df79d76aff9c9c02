import { Alert, Button, Group, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { ListSkeleton } from '../../../parts/skeletons';
import { useFormats } from '../formats';
import { Trouble } from '../parts/refusal';
import { pricesOf, profileOf } from '../queries';
import { useRights } from '../rights';
import { PriceForm } from './price-form';

/** What the tenant pays for models where it knows better than the published prices. */
export function PriceTable({ tenant }: { tenant: string }) {
  const t = useTexts();
  const { may } = useRights(tenant);
  const prices = useQuery(pricesOf(tenant));
  const [editing, setEditing] = useState(false);
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4">
            {t.settings.plan.prices}
          </Title>
          {prices.data && may('tenant:write') && !editing && (
            <Button size="xs" variant="default" onClick={() => setEditing(true)}>
              {t.settings.plan.editPrices}
            </Button>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {t.settings.plan.pricesText}
        </Text>
        {prices.isPending && <ListSkeleton rows={1} />}
        {prices.isError && <Trouble error={prices.error} again={prices.refetch} />}
        {prices.data && editing && (
          <PriceForm tenant={tenant} own={prices.data} close={() => setEditing(false)} />
        )}
        {prices.data && !editing && (
          <OwnPrices tenant={tenant} prices={prices.data.prices ?? []} dollar={prices.data.dollar} />
        )}
      </Stack>
    </Paper>
  );
}

function OwnPrices({
  tenant,
  prices,
  dollar,
}: {
  tenant: string;
  prices: Schemas['OwnPrice'][];
  dollar: number | null | undefined;
}) {
  const t = useTexts();
  const { dollars, number } = useFormats(tenant);
  const currency = useQuery(profileOf(tenant)).data?.currency ?? '';
  return (
    <>
      {dollar != null && (
        <Text size="sm">{t.settings.plan.dollarIs(number(dollar / 1_000_000), currency)}</Text>
      )}
      {prices.length === 0 && <Alert color="gray">{t.settings.plan.noPrices}</Alert>}
      {prices.length > 0 && <PriceRows prices={prices} dollars={dollars} />}
    </>
  );
}

function PriceRows({
  prices,
  dollars,
}: {
  prices: Schemas['OwnPrice'][];
  dollars: (micros: number) => string;
}) {
  const t = useTexts();
  return (
    <Table.ScrollContainer minWidth={520} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.settings.plan.model}</Table.Th>
            <Table.Th ta="right">{t.settings.plan.input}</Table.Th>
            <Table.Th ta="right">{t.settings.plan.cached}</Table.Th>
            <Table.Th ta="right">{t.settings.plan.output}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {prices.map((price) => (
            <Table.Tr key={`${price.provider}/${price.model}`}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {t.settings.plan.providers[price.provider]} · {price.model}
              </Table.Td>
              <Table.Td ta="right">{dollars(price.input)}</Table.Td>
              <Table.Td ta="right">{dollars(price.cached_input ?? price.input)}</Table.Td>
              <Table.Td ta="right">{dollars(price.output ?? 0)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
