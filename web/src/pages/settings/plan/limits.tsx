import { Group, Progress, Text } from '@mantine/core';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import type { Formats } from '../formats';

/** From where on a limit asks for attention, in hundredths. */
const NEAR = 80;

/** How much of a limit is used. Sizes are told as sizes. */
export function LimitBar({ use, formats }: { use: Schemas['LimitUse']; formats: Formats }) {
  const t = useTexts();
  const names: Record<string, string> = t.settings.plan.limits;
  const name = names[use.limit] ?? use.limit;
  const format = use.limit.endsWith('_bytes') ? formats.bytes : formats.number;
  const share = use.value ? Math.min(100, (100 * use.used) / use.value) : 0;
  const isFull = use.value != null && use.used >= use.value;
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Text size="sm">{name}</Text>
        <Text size="sm" fw={500}>
          {use.value == null
            ? t.settings.plan.usedEndless(format(use.used))
            : t.settings.plan.usedOf(format(use.used), format(use.value))}
        </Text>
      </Group>
      {use.value != null && (
        <Progress
          value={share}
          color={isFull ? 'red' : share >= NEAR ? 'ochre' : 'teal'}
          aria-label={name}
          mt={4}
        />
      )}
      {isFull && (
        <Text size="xs" mt={2}>
          {t.settings.plan.full}
        </Text>
      )}
    </div>
  );
}
