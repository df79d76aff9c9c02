import { Box, Code, Group, Stack, Table, Text } from '@mantine/core';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { useFormats } from '../../customers/formats';
import type { Tool } from '../queries';
import { StepDetails } from './details';

/** Shorter than this, in percent, nothing of a bar can be seen. */
const NARROWEST = 3;

/** Every step of a turn in the order in which it began, and its share of the time. */
export function StepTable({
  tenant,
  trace,
  citations,
  tools,
}: {
  tenant: string;
  trace: Schemas['Trace'];
  citations: Schemas['Citation'][];
  tools: Tool[];
}) {
  const t = useTexts();
  const formats = useFormats(tenant);
  const names: Record<string, string> = t.conversations.stepNames;
  const steps = trace.steps.toSorted((a, b) => a.at_us - b.at_us);
  const end = Math.max(trace.elapsed_us, ...steps.map((step) => step.at_us + step.took_us), 1);
  const time = (us: number) => t.conversations.milliseconds(formats.decimals(us / 1000, 1));
  return (
    <Table aria-label={t.agents.steps} fz="sm" layout="fixed" verticalSpacing="xs" horizontalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="32%">{t.agents.stepColumn}</Table.Th>
          <Table.Th>{t.agents.happenedColumn}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {steps.map((step, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a turn that was kept never changes
          <Table.Tr key={at}>
            <Table.Td style={{ verticalAlign: 'top', overflowWrap: 'anywhere' }}>
              <Text size="sm" fw={600}>
                {names[step.name] ?? step.name}
              </Text>
              <Code>{step.name}</Code>
            </Table.Td>
            <Table.Td style={{ verticalAlign: 'top', overflowWrap: 'anywhere' }}>
              <Stack gap={6}>
                <Group gap="xs" wrap="nowrap">
                  <TimeBar at={step.at_us / end} took={step.took_us / end} failed={hasFailed(step)} />
                  <Text
                    size="xs"
                    c="dimmed"
                    miw={64}
                    ta="right"
                    style={{ whiteSpace: 'nowrap' }}
                    title={t.agents.startedAt(time(step.took_us), time(step.at_us))}
                  >
                    {time(step.took_us)}
                  </Text>
                </Group>
                <StepDetails tenant={tenant} step={step} citations={citations} tools={tools} />
              </Stack>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const FAILURES = ['fallback', 'misconfigured', 'unreceived', 'check'];

function hasFailed({ name, details }: Schemas['Step']): boolean {
  return FAILURES.includes(name) || Boolean((details as { error?: unknown }).error);
}

/** When a step began and how long it took, of the whole turn. */
function TimeBar({ at, took, failed }: { at: number; took: number; failed: boolean }) {
  const width = Math.min(Math.max(took * 100, NARROWEST), 100);
  return (
    <Box
      aria-hidden
      flex={1}
      h={6}
      pos="relative"
      bg="var(--mantine-color-default-hover)"
      style={{ borderRadius: 3, overflow: 'hidden' }}
    >
      <Box
        pos="absolute"
        top={0}
        h={6}
        w={`${width}%`}
        left={`${Math.min(at * 100, 100 - width)}%`}
        bg={failed ? 'ochre' : 'teal'}
        style={{ borderRadius: 3 }}
      />
    </Box>
  );
}
