import { Paper, SimpleGrid, Text, Title, VisuallyHidden } from '@mantine/core';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n';
import type { Formats } from '../settings/formats';
import { changeOf, type Figure, type Group, written } from './figures';

type Statistics = Schemas['AgentStatistics'];

const COLOURS = { better: 'teal', worse: 'ochre', neutral: 'dimmed' } as const;
/** Figures side by side stand on one line, however long their names are. */
const ALIGNED = { gridTemplateRows: 'subgrid', gridRow: 'span 4', rowGap: 0 };

/** Figures that belong together, each with how it moved since the period before. */
export function FigureGroup({
  group,
  now,
  before,
  formats,
}: {
  group: Group;
  now: Statistics;
  before: Statistics | undefined;
  formats: Formats;
}) {
  const t = useTexts();
  return (
    <section aria-label={t.metrics.groups[group.name]}>
      <Title order={2} size="h4" mb="xs">
        {t.metrics.groups[group.name]}
      </Title>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: group.figures.length }} spacing="sm">
        {group.figures.map((figure) => (
          <FigureCard key={figure.name} figure={figure} now={now} before={before} formats={formats} />
        ))}
      </SimpleGrid>
    </section>
  );
}

function FigureCard({
  figure,
  now,
  before,
  formats,
}: {
  figure: Figure;
  now: Statistics;
  before: Statistics | undefined;
  formats: Formats;
}) {
  const t = useTexts();
  const value = figure.of(now);
  const old = figure.total || !before ? undefined : figure.of(before);
  const change =
    value == null || old == null ? undefined : changeOf(figure, value, old, formats, t.metrics.points);
  return (
    <Paper withBorder p="sm" display="grid" style={ALIGNED}>
      <Text size="sm" c="dimmed">
        {t.metrics.figures[figure.name]}
      </Text>
      <Text fz={24} fw={650} lh={1.3}>
        {value == null ? '–' : written(figure.kind, value, formats)}
      </Text>
      {change ? (
        <Text size="sm" fw={500} c={COLOURS[change.mood]}>
          {change.text !== '=' && <span aria-hidden="true">{change.up ? '▲ ' : '▼ '}</span>}
          {change.text === '=' ? t.metrics.same : change.text}
          {change.mood !== 'neutral' && (
            <VisuallyHidden>
              {change.mood === 'better' ? t.metrics.improved : t.metrics.worsened}
            </VisuallyHidden>
          )}
        </Text>
      ) : (
        <span />
      )}
      <Text size="xs" c="dimmed">
        {[
          noteOf(figure, now, t.metrics),
          old == null ? undefined : t.metrics.was(written(figure.kind, old, formats)),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
    </Paper>
  );
}

/** What a figure rests on, where it says little by itself. */
function noteOf(
  figure: Figure,
  now: Statistics,
  words: {
    opinions: (helpful: number, unhelpful: number) => string;
    priced: (turns: number) => string;
    ever: string;
  },
): string | undefined {
  if (figure.name === 'helpful' && now.helpful + now.unhelpful > 0)
    return words.opinions(now.helpful, now.unhelpful);
  if (figure.name === 'cost') return words.priced(now.priced_turns);
  return figure.total ? words.ever : undefined;
}
