import { Text } from '@mantine/core';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';

/** Where the time of a search went. What took none is not told. */
export function SearchTimes({ timings, searched }: { timings: Schemas['StageTimings']; searched: number }) {
  const { documents: words } = useTexts();
  const steps = (['embedding', 'search', 'rerank', 'reading'] as const)
    .filter((step) => timings[step] >= 0.05)
    .map((step) => `${words.times[step]} ${timings[step].toFixed(1)} ms`);
  return (
    <Text size="xs" c="dimmed">
      {[words.searched(searched), ...steps].join(' · ')}
    </Text>
  );
}
