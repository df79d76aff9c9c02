import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTexts } from '../../../i18n';
import { done, failed } from '../../../parts/notify';
import { ask } from '../../settings/parts/dialog';
import { type Connection, channelOf, channelsKey, endChannel } from '../queries';

/** Takes a connection away, once it was said what goes with it. */
export function ChannelEnd({ tenant, connection }: { tenant: string; connection: Connection }) {
  const t = useTexts();
  const words = t.channels.settings;
  const { id, name } = connection;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const ending = useMutation({
    mutationFn: () => endChannel(id),
    onSuccess: async () => {
      done(words.ended(name));
      await navigate({ to: '/t/$tenant/channels', params: { tenant }, ignoreBlocker: true });
      queries.removeQueries({ queryKey: channelOf(tenant, id).queryKey });
      await queries.invalidateQueries({ queryKey: channelsKey(tenant) });
    },
    onError: failed,
  });
  const askFirst = () =>
    ask({
      title: words.endTitle(name),
      text: words.endText(name),
      confirm: words.end,
      danger: true,
      act: () => ending.mutate(),
    });
  return (
    <Paper withBorder p="md" component="section">
      <Stack gap="xs">
        <Title order={2} size="h4">
          {words.end}
        </Title>
        <Group justify="space-between" gap="sm">
          <Text size="sm" flex="1 1 240px">
            {words.endHelp}
          </Text>
          <Button variant="light" color="red" onClick={askFirst} loading={ending.isPending}>
            {words.end}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
