import { Box, Text } from '@mantine/core';
import { useTexts } from '../../../i18n';
import type { Formats } from '../formats';

const ORDER = [
  'messages',
  'input_tokens',
  'output_tokens',
  'model_cost_micros',
  'documents_added',
  'embedding_calls',
  'embedding_tokens',
  'embedding_cost_micros',
];

/** What was counted in a month. */
export function CounterGrid({ counters, formats }: { counters: Record<string, number>; formats: Formats }) {
  const t = useTexts();
  const names: Record<string, string> = t.settings.plan.counters;
  const place = (metric: string) => ORDER.indexOf(metric) + 1 || ORDER.length + 1;
  const all = Object.entries(counters).sort(([a], [b]) => place(a) - place(b));
  if (all.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t.settings.plan.noCounters}
      </Text>
    );
  return (
    <Box
      component="dl"
      m={0}
      display="grid"
      style={{ gridTemplateColumns: 'repeat(auto-fill, minmax(150px, 1fr))', gap: 12 }}
    >
      {all.map(([metric, value]) => (
        <div key={metric}>
          <Text component="dt" size="xs" c="dimmed">
            {names[metric] ?? metric}
          </Text>
          <Text component="dd" m={0} fw={600}>
            {metric.endsWith('_micros') ? formats.dollars(value) : formats.number(value)}
          </Text>
        </div>
      ))}
    </Box>
  );
}
