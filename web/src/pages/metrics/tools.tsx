import { Paper, Progress, Table, Text, Title } from '@mantine/core';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n';
import type { Formats } from '../settings/formats';

/** How each tool was used, beside the period before. */
export function ToolTable({ used, formats }: { used: Schemas['ToolStatistics']; formats: Formats }) {
  const t = useTexts();
  const names: Record<string, string> = t.metrics.tools;
  const most = Math.max(1, ...used.tools.map((tool) => tool.calls));
  const { columns } = t.metrics;
  return (
    <Paper withBorder p="md" component="section" aria-label={t.metrics.toolTitle}>
      <Title order={2} size="h4" mb="xs">
        {t.metrics.toolTitle}
      </Title>
      {used.tools.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t.metrics.noToolUse}
        </Text>
      ) : (
        <Table.ScrollContainer minWidth={560} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table fz="sm" aria-label={t.metrics.toolTitle}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{columns.tool}</Table.Th>
                <Table.Th w="30%">{columns.calls}</Table.Th>
                <Table.Th ta="right">{columns.before}</Table.Th>
                <Table.Th ta="right">{columns.failures}</Table.Th>
                <Table.Th ta="right">{columns.time}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {used.tools.map((tool) => (
                <Table.Tr key={tool.tool}>
                  <Table.Th fw={400} scope="row">
                    {names[tool.tool] ?? tool.tool}
                  </Table.Th>
                  <Table.Td>
                    {formats.number(tool.calls)}
                    <Progress value={(100 * tool.calls) / most} size="sm" mt={2} aria-hidden="true" />
                  </Table.Td>
                  <Table.Td ta="right" c="dimmed">
                    {formats.number(used.before.find((old) => old.tool === tool.tool)?.calls ?? 0)}
                  </Table.Td>
                  <Table.Td ta="right" c={tool.failures > 0 ? 'ochre' : undefined}>
                    {formats.number(tool.failures)}
                  </Table.Td>
                  <Table.Td ta="right">
                    {tool.mean_ms == null ? '–' : formats.duration(tool.mean_ms)}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Paper>
  );
}
