import { Box, Button, Group, Stack, Text } from '@mantine/core';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { useInstructionPatch } from './changes';

/** Important instructions of a table that agents would only read when they matter. */
export function ProposedList({
  tenant,
  proposed,
}: {
  tenant: string;
  proposed: Schemas['ProposedForPrompt'][];
}) {
  const t = useTexts();
  if (proposed.length === 0) return null;
  return (
    <Stack gap="xs">
      <div>
        <Text fw={600} size="sm">
          {t.agents.rules.proposed}
        </Text>
        <Text size="sm" c="dimmed">
          {t.agents.rules.proposedText}
        </Text>
      </div>
      {proposed.map((one) => (
        <ProposedRow key={one.id} tenant={tenant} one={one} />
      ))}
    </Stack>
  );
}

function ProposedRow({ tenant, one }: { tenant: string; one: Schemas['ProposedForPrompt'] }) {
  const t = useTexts();
  const words = t.agents.rules;
  const patching = useInstructionPatch(tenant, one.id);
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Box flex="1 1 200px" miw={0}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {one.title}
          </Text>
          <Text size="xs" c="dimmed">
            {words.priorityOf(one.priority)} · {words.proposedTokens(one.tokens)}
          </Text>
        </Box>
        <Button
          size="xs"
          variant="default"
          aria-label={`${words.include}: ${one.title}`}
          loading={patching.isPending}
          disabled={patching.isSuccess}
          onClick={() => patching.mutate({ include_in_prompt: true })}
        >
          {patching.isSuccess ? words.included : words.include}
        </Button>
      </Group>
      {patching.isError && (
        <Text size="sm" c="var(--mantine-color-red-light-color)" role="alert">
          {patching.error.message}
        </Text>
      )}
    </div>
  );
}
