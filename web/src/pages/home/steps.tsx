import {
  Button,
  Group,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  ThemeIcon,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTexts } from '../../i18n';
import { ButtonLink } from '../../parts/links';
import { agentsOf } from '../agents/queries';
import { basesOf } from '../knowledge/queries';
import { useRights } from '../settings/rights';
import { demoOf } from '../starting';
import { hasKeys, wasTried } from './queries';

/** What is still to be done in a new business. It is gone when all of it is. */
export function FirstSteps({ tenant }: { tenant: string }) {
  const t = useTexts();
  const { may } = useRights(tenant);
  const [hidden, setHidden] = useLocalStorage({ key: `quipu.steps.${tenant}`, defaultValue: false });
  const isWanted = !hidden && !demoOf(tenant) && may('agents:write');
  const agents = useQuery({ ...agentsOf(tenant), enabled: isWanted }).data?.data;
  const bases = useQuery({ ...basesOf(tenant), enabled: isWanted }).data?.data;
  const tried = useQuery({ ...wasTried(tenant), enabled: isWanted && may('usage:read') }).data;
  const keys = useQuery({ ...hasKeys(tenant), enabled: isWanted && may('keys:read') }).data;
  if (!isWanted || !agents || !bases) return null;
  const first = agents[0];
  const link = { variant: 'light', size: 'xs' } as const;
  const steps: { name: string; text: string; isDone: boolean | undefined; go: ReactNode }[] = [
    {
      name: t.home.stepAgent,
      text: t.home.stepAgentText,
      isDone: agents.length > 0,
      go: (
        <ButtonLink to="/t/$tenant/agents" params={{ tenant }} {...link}>
          {t.home.stepAgent}
        </ButtonLink>
      ),
    },
    {
      name: t.home.stepKnowledge,
      text: t.home.stepKnowledgeText,
      isDone: bases.some((kb) => (kb.total_documents ?? 0) > 0),
      go: first ? (
        <ButtonLink
          to="/t/$tenant/agents/$agent"
          params={{ tenant, agent: first.slug }}
          search={{ tab: 'knowledge' }}
          {...link}
        >
          {t.home.stepKnowledge}
        </ButtonLink>
      ) : (
        <ButtonLink to="/t/$tenant/knowledge" params={{ tenant }} {...link}>
          {t.home.stepKnowledge}
        </ButtonLink>
      ),
    },
    {
      name: t.home.stepTry,
      text: t.home.stepTryText,
      isDone: may('usage:read') ? tried : undefined,
      go: first && (
        <ButtonLink to="/t/$tenant/agents/$agent" params={{ tenant, agent: first.slug }} {...link}>
          {t.home.stepTry}
        </ButtonLink>
      ),
    },
    ...(may('keys:write')
      ? [
          {
            name: t.home.stepKey,
            text: t.home.stepKeyText,
            isDone: keys,
            go: (
              <ButtonLink to="/t/$tenant/settings/keys" params={{ tenant }} {...link}>
                {t.home.stepKey}
              </ButtonLink>
            ),
          },
        ]
      : []),
  ];
  const count = steps.filter((step) => step.isDone).length;
  // What is not known yet is not shown as missing.
  if (count === steps.length || steps.some((step) => step.isDone === undefined)) return null;
  const next = steps.find((step) => !step.isDone);
  return (
    <Paper withBorder p="md" component="section" aria-label={t.home.start}>
      <Group justify="space-between" mb="sm">
        <Group gap="xs">
          <Title order={2} size="h5">
            {t.home.start}
          </Title>
          <Text size="sm" c="dimmed">
            {t.home.startText(count, steps.length)}
          </Text>
        </Group>
        <Button size="compact-sm" variant="subtle" onClick={() => setHidden(true)}>
          {t.home.hideSteps}
        </Button>
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 2, md: steps.length }} component="ol" p={0} m={0}>
        {steps.map((step, at) => (
          <Stack key={step.name} gap={4} component="li" style={{ listStyle: 'none' }}>
            <Group gap="xs" wrap="nowrap">
              <ThemeIcon
                size={24}
                radius="xl"
                variant={step.isDone ? 'filled' : 'default'}
                aria-hidden="true"
              >
                {step.isDone ? '✓' : at + 1}
              </ThemeIcon>
              <Text fw={600} size="sm" c={step.isDone ? 'dimmed' : undefined}>
                {step.name}
                {step.isDone && <VisuallyHidden>, {t.home.stepDone}</VisuallyHidden>}
              </Text>
            </Group>
            <Text size="sm" c="dimmed" pl={34}>
              {step.text}
            </Text>
            {step === next && <Group pl={34}>{step.go}</Group>}
          </Stack>
        ))}
      </SimpleGrid>
    </Paper>
  );
}
