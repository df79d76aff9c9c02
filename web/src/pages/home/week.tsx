import { Group, Paper, SimpleGrid, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../i18n';
import { TextLink } from '../../parts/links';
import { useFormats } from '../settings/formats';
import { useRights } from '../settings/rights';
import { weekOf } from './queries';

/** The figures of the week beside those of the week before, for who may see them. */
export function WeekFigures({ tenant }: { tenant: string }) {
  const t = useTexts();
  const { may } = useRights(tenant);
  const { number, percent } = useFormats(tenant);
  const week = useQuery({ ...weekOf(tenant), enabled: may('usage:read') });
  if (!week.data) return null;
  const { total, before } = week.data;
  const share = (part: number, whole: number) => (whole > 0 ? part / whole : undefined);
  const figures = [
    [t.home.turns, total.turns, before.turns, number],
    [t.home.grounded, share(total.grounded, total.turns), share(before.grounded, before.turns), percent],
    [t.home.escalated, share(total.escalated, total.turns), share(before.escalated, before.turns), percent],
    [
      t.home.helpful,
      share(total.helpful, total.helpful + total.unhelpful),
      share(before.helpful, before.helpful + before.unhelpful),
      percent,
    ],
  ] as const;
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          {t.home.week}
        </Title>
        <TextLink to="/t/$tenant/figures" params={{ tenant }} size="sm">
          {t.home.allFigures}
        </TextLink>
      </Group>
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        {figures.map(([name, now, then, format]) => (
          <div key={name}>
            <Text size="sm" c="dimmed">
              {name}
            </Text>
            <Text fz={24} fw={650}>
              {now === undefined ? '–' : format(now)}
            </Text>
            <Text size="xs" c="dimmed">
              {then === undefined ? t.home.nothingBefore : t.home.weekBefore(format(then))}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Paper>
  );
}
