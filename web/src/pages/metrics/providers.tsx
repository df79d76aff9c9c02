import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../i18n';
import { ListSkeleton } from '../../parts/skeletons';
import { Trouble } from '../settings/parts/refusal';
import { providersOf } from './queries';

const COLOURS = { closed: 'teal', half_open: 'ochre', open: 'red' } as const;

/** Whether the providers that were asked lately are being asked: one that fails is left alone for a while. */
export function ProviderStates({ tenant }: { tenant: string }) {
  const t = useTexts();
  const states = useQuery(providersOf(tenant));
  const words = t.metrics.providers;
  return (
    <Paper withBorder p="md" component="section" aria-label={words.title}>
      <Title order={2} size="h4">
        {words.title}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {words.text}
      </Text>
      {states.isPending && <ListSkeleton rows={1} />}
      {states.isError && <Trouble error={states.error} again={states.refetch} />}
      {states.data?.length === 0 && <Text size="sm">{words.none}</Text>}
      <Stack gap="xs">
        {states.data?.map((provider) => (
          <Group key={`${provider.role}/${provider.name}`} gap="sm">
            <Badge variant="light" color={COLOURS[provider.state]}>
              {words.states[provider.state]}
            </Badge>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {provider.name}
            </Text>
            <Text size="sm" c="dimmed">
              {words.roles[provider.role]}
            </Text>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}
