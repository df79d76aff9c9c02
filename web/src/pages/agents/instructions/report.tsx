import { Badge, Button, Group, ScrollArea, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useLanguage, useTexts } from '../../../i18n';
import type { ImportReport } from '../../business/tables/calls';

const STEP = 100;

/** What came of a table, or would, and what is wrong with its rows. */
export function ReportView({ report }: { report: ImportReport }) {
  const t = useTexts();
  const language = useLanguage();
  const [most, setMost] = useState(STEP);
  const words = t.business.tables;
  const { created, updated, unchanged, failed } = report;
  const notes = [
    ...(report.ignored_columns.length > 0 ? [words.ignored(report.ignored_columns.join(', '))] : []),
    ...(report.repeated_columns.length > 0 ? [words.repeated(report.repeated_columns.join(', '))] : []),
  ];
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
      {notes.map((note) => (
        <Text key={note} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {note}
        </Text>
      ))}
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
                  <Table.Td>{problem.column ?? '—'}</Table.Td>
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
