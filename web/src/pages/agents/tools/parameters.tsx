import { Code, Table, Text } from '@mantine/core';
import { useTexts } from '../../../i18n';
import type { Tool } from '../queries';
import { type Parameter, parametersOf } from './schema';

/** What a tool takes, one row for each. */
export function ToolParameters({ tool }: { tool: Tool }) {
  const t = useTexts();
  const words = t.agents.tools;
  const parameters = parametersOf(tool.parameters, t);
  if (parameters.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {words.noParameters}
      </Text>
    );
  return (
    <Table.ScrollContainer minWidth={420} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={`${words.parameters}: ${tool.name}`} verticalSpacing={4} fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.parameter}</Table.Th>
            <Table.Th>{words.kind}</Table.Th>
            <Table.Th>{words.about}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {parameters.map((parameter) => (
            <Rows key={parameter.name} parameter={parameter} depth={0} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Rows({ parameter, depth }: { parameter: Parameter; depth: number }) {
  const t = useTexts();
  return (
    <>
      <Table.Tr>
        <Table.Td pl={depth > 0 ? depth * 24 : undefined} style={{ verticalAlign: 'top' }}>
          <Code>{parameter.name}</Code>
          {parameter.required && (
            <Text size="xs" c="dimmed">
              {t.agents.tools.required}
            </Text>
          )}
        </Table.Td>
        <Table.Td style={{ verticalAlign: 'top' }}>{parameter.kind}</Table.Td>
        <Table.Td style={{ verticalAlign: 'top' }}>{parameter.description ?? '—'}</Table.Td>
      </Table.Tr>
      {parameter.inside.map((one) => (
        <Rows key={one.name} parameter={one} depth={depth + 1} />
      ))}
    </>
  );
}
