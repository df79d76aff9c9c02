import { Badge, Button, Group, ScrollArea, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useLanguage, useTexts } from '../../../i18n';
import type { KindName } from '../catalogue';
import { kindTexts } from '../kinds';
import type { ImportReport } from './calls';

const STEP = 100;

/** What came of a table, or would. */
export function ReportView({ kind, report }: { kind: KindName; report: ImportReport }) {
  const t = useTexts();
  const language = useLanguage();
  const [most, setMost] = useState(STEP);
  const words = t.business.tables;
  const { labels } = kindTexts(t, kind);
  // What is inside of something is called by its name: `promotion.text`.
  const nameOf = (column: string) => labels[column] ?? labels[column.split('.')[0] ?? ''] ?? column;
  const { created, updated, unchanged, failed } = report;
  return (
    <Stack gap="xs" aria-live="polite">
      <Text fw={600} size="sm">
        {report.dry_run ? words.trial(report.rows) : words.done(report.rows)}
      </Text>
      <Group gap="xs">
        <Badge variant="light">{words.created(created)}</Badge>
        <Badge variant="light">{words.updated(updated)}</Badge>
        <Badge variant="light" color="gray">
          {words.unchanged(unchanged)}
        </Badge>
        {failed > 0 && (
          <Badge variant="light" color="red">
            {words.failed(failed)}
          </Badge>
        )}
      </Group>
      {report.ignored_columns.length > 0 && (
        <Text size="sm" c="ochre">
          {words.ignored(report.ignored_columns.join(', '))}
        </Text>
      )}
      {report.repeated_columns.length > 0 && (
        <Text size="sm" c="ochre">
          {words.repeated(report.repeated_columns.join(', '))}
        </Text>
      )}
      {report.problems.length > 0 && (
        <ScrollArea.Autosize
          mah={320}
          viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': words.problems }}
        >
          <Table verticalSpacing={4} stickyHeader>
            <Table.Thead>
              <Table.Tr>
                <Table.Th ta="right">{words.line}</Table.Th>
                <Table.Th>{words.column}</Table.Th>
                <Table.Th>{words.problem}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {report.problems.slice(0, most).map((problem, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a line may have the same problem twice, and nothing moves
                <Table.Tr key={at}>
                  <Table.Td ta="right">{problem.line}</Table.Td>
                  <Table.Td>{problem.column ? nameOf(problem.column) : '—'}</Table.Td>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{problem[language]}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea.Autosize>
      )}
      {report.problems.length > most && (
        <Button size="xs" variant="default" onClick={() => setMost(most + STEP)}>
          {t.common.more}
        </Button>
      )}
    </Stack>
  );
}
