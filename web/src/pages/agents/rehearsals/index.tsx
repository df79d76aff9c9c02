import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import { useTexts } from '../../../i18n';
import { useRights } from '../../settings/rights';
import type { SavedAgent } from '../queries';
import { RunView } from './run';
import { RunList } from './runs';
import { ScriptList } from './scripts';
import { StartDialog } from './start';

/** Conversations played again with an agent before it is published. */
export function RehearsalsTab({ tenant, agent }: { tenant: string; agent: SavedAgent }) {
  const t = useTexts();
  const words = t.rehearsals;
  const { run } = useSearch({ from: '/inside/t/$tenant/agents/$agent' });
  const { may } = useRights(tenant);
  const [starts, starting] = useDisclosure();
  const changes = may('agents:write');
  if (run) return <RunView key={run} tenant={tenant} agent={agent} id={run} />;
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Text size="sm" c="dimmed" maw={640} flex="1 1 260px">
          {words.intro}
        </Text>
        {changes && <Button onClick={starting.open}>{words.start}</Button>}
      </Group>
      <RunList tenant={tenant} agent={agent} changes={changes} />
      <ScriptList tenant={tenant} agent={agent} changes={changes} />
      <StartDialog tenant={tenant} agent={agent} opened={starts} close={starting.close} />
    </Stack>
  );
}
