import { Paper, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTexts } from '../../i18n';
import { ListSkeleton } from '../../parts/skeletons';
import { useMoney } from '../metrics/money';
import { useFormats } from '../settings/formats';
import { KeyFacts } from '../settings/parts/key-facts';
import { Trouble } from '../settings/parts/refusal';
import { type Connection, costOf } from './queries';

const MONTHS = 12;

/** The last months of universal time, the newest first, and whichever one is asked for besides. */
function monthsWith(wanted: string | undefined): string[] {
  const now = new Date();
  const months = Array.from({ length: MONTHS }, (_, ago) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1)).toISOString().slice(0, 7),
  );
  return wanted && !months.includes(wanted) ? [...months, wanted] : months;
}

/** What a month cost at the channel, as far as its rates are known. */
export function CostTab({
  tenant,
  connection,
  month,
}: {
  tenant: string;
  connection: Connection;
  month: string | undefined;
}) {
  const t = useTexts();
  const words = t.channels.cost;
  const formats = useFormats(tenant);
  const navigate = useNavigate({ from: '/t/$tenant/channels/$connection' });
  const months = monthsWith(month);
  const shown = month ?? months[0] ?? '';
  return (
    <Stack maw={640}>
      <Text size="sm" c="dimmed">
        {words.intro}
      </Text>
      <Select
        label={words.month}
        maw={260}
        data={months.map((value) => ({ value, label: formats.month(value) }))}
        value={shown}
        onChange={(value) =>
          navigate({ search: { tab: 'cost', ...(value ? { month: value } : {}) }, replace: true })
        }
        allowDeselect={false}
      />
      <MonthCost tenant={tenant} connection={connection.id} month={shown} />
    </Stack>
  );
}

function MonthCost({ tenant, connection, month }: { tenant: string; connection: string; month: string }) {
  const t = useTexts();
  const words = t.channels.cost;
  const formats = useFormats(tenant);
  const money = useMoney(tenant);
  const found = useQuery(costOf(tenant, connection, month));
  if (found.isPending) return <ListSkeleton rows={1} />;
  if (found.isLoadingError) return <Trouble error={found.error} again={found.refetch} />;
  const { messages, charged, unknown, cost_micros: cost } = found.data.cost;
  if (messages === 0) return <Text size="sm">{words.nothing}</Text>;
  return (
    <Paper withBorder p="md" aria-live="polite">
      <KeyFacts
        facts={[
          [words.total, money.written(cost)],
          [words.messages, formats.number(messages)],
          [words.charged, formats.number(charged)],
        ]}
      />
      {unknown > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {words.unknown(unknown)}
        </Text>
      )}
    </Paper>
  );
}
