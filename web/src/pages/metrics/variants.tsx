import { Alert, Badge, Group, Paper, Table, Text, Title } from '@mantine/core';
import type { Schemas } from '../../api/client';
import { useLanguage, useTexts } from '../../i18n';
import { MEASURES } from './comparison';
import { type Writers, written } from './figures';

/** The ways of an agent that are tried out, side by side, and what can be said of them by now. */
export function VariantTable({
  comparison,
  writers,
}: {
  comparison: Schemas['Comparison'];
  writers: Writers;
}) {
  const t = useTexts();
  const language = useLanguage();
  const { variants, verdict } = comparison;
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4" mb="xs">
        {t.metrics.experiment}
      </Title>
      <Alert color={verdict.better ? 'teal' : 'gray'} mb="sm">
        <Text size="sm">{verdict[language]}</Text>
      </Alert>
      <Table.ScrollContainer minWidth={420} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table fz="sm" aria-label={t.metrics.experiment}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.metrics.columns.figure}</Table.Th>
              {variants.map(({ variant }) => (
                <Table.Th key={variant} ta="right">
                  <Group gap={6} justify="flex-end">
                    {variant === 'base' ? t.metrics.base : variant}
                    {verdict.better === variant && (
                      <Badge size="xs" variant="light">
                        {t.metrics.better}
                      </Badge>
                    )}
                  </Group>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {MEASURES.map((measure) => (
              <Table.Tr key={measure.name}>
                <Table.Th fw={400} scope="row">
                  {t.metrics.measures[measure.name]}
                </Table.Th>
                {variants.map((variant) => {
                  const value = measure.of(variant);
                  const bounds = measure.name === 'helpful' ? variant.helpful_share : undefined;
                  return (
                    <Table.Td key={variant.variant} ta="right">
                      {value == null ? '–' : written(measure.kind, value, writers)}
                      {bounds && (
                        <Text size="xs" c="dimmed">
                          {t.metrics.between(
                            writers.formats.percent(bounds.low),
                            writers.formats.percent(bounds.high),
                          )}
                        </Text>
                      )}
                    </Table.Td>
                  );
                })}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}
