import { Paper, SimpleGrid, Text, Title, VisuallyHidden } from '@mantine/core';
import { useTexts } from '../../i18n';
import { changeOf, type Figure, type Group, type Point, type Writers, written } from './figures';

const COLOURS = { better: 'teal', worse: 'ochre', neutral: 'dimmed' } as const;
/** Figures side by side stand on one line, however long their names are. */
const ALIGNED = { gridTemplateRows: 'subgrid', gridRow: 'span 4', rowGap: 0 };

/** Figures that belong together, each with how it moved since the period before. */
export function FigureGroup({
  group,
  now,
  before,
  writers,
}: {
  group: Group;
  now: Point;
  before: Point | undefined;
  writers: Writers;
}) {
  const t = useTexts();
  return (
    <section aria-label={t.metrics.groups[group.name]}>
      <Title order={2} size="h4" mb="xs">
        {t.metrics.groups[group.name]}
      </Title>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: Math.min(group.figures.length, 5) }} spacing="sm">
        {group.figures.map((figure) => (
          <FigureCard key={figure.name} figure={figure} now={now} before={before} writers={writers} />
        ))}
      </SimpleGrid>
    </section>
  );
}

function FigureCard({
  figure,
  now,
  before,
  writers,
}: {
  figure: Figure;
  now: Point;
  before: Point | undefined;
  writers: Writers;
}) {
  const t = useTexts();
  const value = figure.of(now);
  const old = before && figure.of(before);
  const change =
    value == null || old == null
      ? undefined
      : changeOf(figure, value, old, writers.formats, t.metrics.points);
  return (
    <Paper withBorder p="sm" display="grid" style={ALIGNED}>
      <Text size="sm" c="dimmed">
        {t.metrics.figures[figure.name]}
      </Text>
      <Text fz={24} fw={650} lh={1.3} style={{ overflowWrap: 'anywhere' }}>
        {value == null ? '–' : written(figure.kind, value, writers)}
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
          old == null ? undefined : t.metrics.was(written(figure.kind, old, writers)),
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
  now: Point,
  words: {
    opinions: (helpful: number, unhelpful: number) => string;
    priced: (turns: number) => string;
    whole: string;
  },
): string | undefined {
  if (figure.name === 'helpful' && now.helpful + now.unhelpful > 0)
    return words.opinions(now.helpful, now.unhelpful);
  if (figure.name === 'cost') return words.priced(now.priced_turns);
  return figure.name === 'documents' || figure.name === 'storage' ? words.whole : undefined;
}
