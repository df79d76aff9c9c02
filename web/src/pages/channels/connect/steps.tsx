import { Box, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTexts } from '../../../i18n';

const STEPS = ['needs', 'account', 'webhook', 'trial'] as const;
export type Step = (typeof STEPS)[number];

/** One step, with how far it is. Its name takes the focus, so that whoever sees nothing knows where they are. */
export function StepPanel({ step, children }: { step: Step; children: ReactNode }) {
  const t = useTexts();
  const words = t.channels.steps;
  const at = STEPS.indexOf(step);
  const title = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another step begins
  useEffect(() => title.current?.focus({ preventScroll: true }), [step]);
  return (
    <Stack maw={720}>
      <Group component="ol" aria-label={words.label} gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {STEPS.map((name, place) => (
          <Box component="li" key={name} aria-current={name === step ? 'step' : undefined}>
            <Text
              span
              size="sm"
              fw={name === step ? 600 : undefined}
              c={name === step ? undefined : 'dimmed'}
              td={name === step ? 'underline' : undefined}
            >
              {place < at ? '✓ ' : `${place + 1}. `}
              {words[name]}
            </Text>
          </Box>
        ))}
      </Group>
      <Paper withBorder p="md">
        <Stack>
          <Box>
            <Text size="xs" c="dimmed">
              {words.of(at + 1, STEPS.length)}
            </Text>
            <Title order={2} size="h4" ref={title} tabIndex={-1} style={{ outline: 'none' }}>
              {words[step]}
            </Title>
          </Box>
          {children}
        </Stack>
      </Paper>
    </Stack>
  );
}
