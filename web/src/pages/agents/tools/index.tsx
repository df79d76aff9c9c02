import { Accordion, Badge, Code, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { EmptyState } from '../../../parts/page';
import { ListSkeleton } from '../../../parts/skeletons';
import { matcher, SearchBox } from '../../settings/parts/search-box';
import { type SavedAgent, type Tool, toolsOf } from '../queries';
import { ToolParameters } from './parameters';

const ACCESS = ['read', 'write'] as const;

/** What an agent can look up and change. */
export function ToolsTab({ tenant, agent }: { tenant: string; agent: SavedAgent }) {
  const t = useTexts();
  const words = t.agents.tools;
  const { q } = useSearch({ from: '/inside/t/$tenant/agents/$agent' });
  const navigate = useNavigate({ from: '/t/$tenant/agents/$agent' });
  const tools = useQuery(toolsOf(tenant, agent.id));
  const all = tools.data ?? [];
  const matches = matcher<Tool>(
    q,
    (tool) => `${tool.name} ${tool.name.replaceAll('_', ' ')} ${tool.description}`,
  );
  const shown = matches ? all.filter(matches) : all;
  const headings = {
    read: { title: words.reads, text: words.readsText },
    write: { title: words.writes, text: words.writesText },
  };
  return (
    <Stack>
      <Text size="sm">{words.intro}</Text>
      {tools.isError && <FailureNotice error={tools.error} again={tools.refetch} />}
      {tools.isPending && <ListSkeleton />}
      {tools.isSuccess && all.length === 0 && <EmptyState title={words.emptyTitle} text={words.emptyText} />}
      {all.length > 0 && (
        <SearchBox
          value={q}
          change={(words) =>
            navigate({ search: { tab: 'tools', ...(words ? { q: words } : {}) }, replace: true })
          }
        />
      )}
      {all.length > 0 && shown.length === 0 && <Text role="status">{words.nothingFound}</Text>}
      {ACCESS.map((access) => {
        const some = shown.filter((tool) => tool.access === access);
        return (
          some.length > 0 && (
            <section key={access}>
              <Title order={2} size="h5">
                {headings[access].title} ({some.length})
              </Title>
              <Text size="sm" c="dimmed" mb="xs">
                {headings[access].text}
              </Text>
              <Accordion multiple variant="contained" order={3}>
                {some.map((tool) => (
                  <ToolItem key={tool.name} tool={tool} />
                ))}
              </Accordion>
            </section>
          )
        );
      })}
    </Stack>
  );
}

function ToolItem({ tool }: { tool: Tool }) {
  const t = useTexts();
  const names: Record<string, string> = t.conversations.specialists;
  const everybody = tool.specialists.length >= Object.keys(names).length;
  return (
    <Accordion.Item value={tool.name}>
      <Accordion.Control>
        <Group gap="xs">
          <Code>{tool.name}</Code>
          {tool.access === 'write' && (
            <Badge size="sm" variant="light" color="ochre" tt="none">
              {t.agents.write}
            </Badge>
          )}
        </Group>
        <Text size="sm" mt={4}>
          {tool.description}
        </Text>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="sm">
          <ToolParameters tool={tool} />
          <Text size="xs" c="dimmed">
            {t.agents.tools.usedBy}:{' '}
            {everybody
              ? t.agents.tools.everybody
              : tool.specialists.map((name) => names[name] ?? name).join(', ')}
          </Text>
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}
