import { Button, Group, Paper, Stack, Text, Timeline, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../i18n';
import { useNames } from '../conversations/names';
import { TurnDrawer } from '../conversations/turn';
import { useFormats } from './formats';
import { PartList } from './parts';
import { type Lead, temperatureHistoryOf } from './queries';
import { TemperatureBadge } from './temperature';

const COLOURS = { hot: 'ochre', warm: 'teal', cold: 'gray', none: 'gray' } as const;

/** When somebody came closer to buying or went away, and who noticed. */
export function TemperatureHistory({ tenant, lead }: { tenant: string; lead: Lead }) {
  const t = useTexts();
  const formats = useFormats(tenant);
  const names = useNames(tenant, lead.name ?? undefined);
  const list = useInfiniteQuery(temperatureHistoryOf(tenant, lead));
  const [turn, setTurn] = useState<string>();
  const changes = list.data?.pages.flatMap((page) => page.data) ?? [];
  const named = t.customers.temperatures;
  return (
    <Paper withBorder p="md" flex="1 1 280px" miw={0}>
      <Stack gap="sm">
        <Title order={2} size="h5">
          {t.joining.history}
        </Title>
        <PartList list={list} empty={changes.length === 0 ? t.joining.historyEmpty : undefined}>
          {changes.length > 0 && (
            <Timeline bulletSize={14} lineWidth={2} active={changes.length}>
              {changes.map((change) => (
                <Timeline.Item
                  key={change.id}
                  color={COLOURS[change.after ?? 'none']}
                  title={<TemperatureBadge temperature={change.after} />}
                >
                  <Text size="sm">
                    {t.joining.from(named[change.before ?? 'none'], named[change.after ?? 'none'])}
                  </Text>
                  <Group gap={4}>
                    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                      {names(change.actor)} · {formats.full(change.at)}
                    </Text>
                    {change.turn_id && (
                      <Button
                        size="compact-xs"
                        variant="subtle"
                        onClick={() => setTurn(change.turn_id ?? undefined)}
                      >
                        {t.joining.why}
                      </Button>
                    )}
                  </Group>
                </Timeline.Item>
              ))}
            </Timeline>
          )}
        </PartList>
      </Stack>
      <TurnDrawer tenant={tenant} turn={turn} close={() => setTurn(undefined)} />
    </Paper>
  );
}
