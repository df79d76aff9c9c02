import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { useTexts } from '../../../i18n';
import { ButtonLink } from '../../../parts/links';
import type { Connectable } from '../../../routes/channels';

/** What it takes to connect an account, and where each of it is found. */
export function NeedsList({
  tenant,
  channel,
  next,
}: {
  tenant: string;
  channel: Connectable;
  next: () => void;
}) {
  const t = useTexts();
  const needs = Object.entries(t.channels.needs[channel]);
  return (
    <>
      <Text size="sm">{t.channels.needsIntro}</Text>
      <Stack component="ul" gap="sm" m={0} pl="md">
        {needs.map(([key, { name, where }]) => (
          <Box component="li" key={key}>
            <Text fw={500}>{name}</Text>
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {where}
            </Text>
          </Box>
        ))}
      </Stack>
      <Group gap="xs">
        <Button onClick={next}>{t.channels.steps.next}</Button>
        <ButtonLink to="/t/$tenant/channels/connect" params={{ tenant }} search={{}} variant="default">
          {t.channels.steps.other}
        </ButtonLink>
      </Group>
    </>
  );
}
