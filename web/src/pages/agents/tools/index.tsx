import { Accordion, Group, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { failed } from '../../../parts/notify';
import { EmptyState } from '../../../parts/page';
import { ListSkeleton } from '../../../parts/skeletons';
import { matcher, SearchBox } from '../../settings/parts/search-box';
import { useRights } from '../../settings/rights';
import { useTwoWays } from '../drafts/saving';
import { useGuard } from '../forms';
import { type SavedAgent, type Tool, toolsOf } from '../queries';
import { ToolItem } from './item';
import { offOf } from './switches';

const ACCESS = ['read', 'write'] as const;

type Props = {
  tenant: string;
  /** With its draft, where there is one. */
  agent: SavedAgent;
  revision: string | null;
};

type Off = { off: string[] };

/** What was switched here, among what others switched meanwhile. */
const over = (began: Off, typed: Off, newest: Off): Off => {
  const kept = newest.off.filter((name) => typed.off.includes(name) || !began.off.includes(name));
  const added = typed.off.filter((name) => !began.off.includes(name) && !kept.includes(name));
  return { off: [...kept, ...added].toSorted() };
};

const valuesOf = (agent: SavedAgent): Off => ({ off: agent.settings.disabled_tools.toSorted() });

/** What an agent can look up and change, and what of it is switched off. */
export function ToolsTab({ tenant, agent, revision }: Props) {
  const t = useTexts();
  const words = t.agents.tools;
  const { may } = useRights(tenant);
  const { q } = useSearch({ from: '/inside/t/$tenant/agents/$agent' });
  const navigate = useNavigate({ from: '/t/$tenant/agents/$agent' });
  const tools = useQuery(toolsOf(tenant, agent.id));
  const form = useForm({ initialValues: valuesOf(agent) });
  useGuard(() => form.isDirty());
  const { publish, buttons } = useTwoWays({
    tenant,
    agent,
    revision,
    form,
    valuesOf,
    bodyOf: ({ off }) => ({ settings: { disabled_tools: off } }),
    over,
    show: (problems) => {
      const [first] = Object.values(problems);
      if (first) failed(new Error(first));
    },
    saved: t.switches.saved,
  });
  const changes = may('agents:write');
  const all = tools.data ?? [];
  const off = offOf(all, form.values.off);
  const change = (tool: Tool, on: boolean) => {
    const others = form.values.off.filter((name) => name !== tool.name);
    form.setFieldValue('off', on ? others : [...others, tool.name].toSorted());
  };
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
    <form onSubmit={publish}>
      <Stack maw={860}>
        <Text size="sm">{words.intro}</Text>
        {changes && <Text size="sm">{t.switches.intro}</Text>}
        {tools.isError && <FailureNotice error={tools.error} again={tools.refetch} />}
        {tools.isPending && <ListSkeleton />}
        {tools.isSuccess && all.length === 0 && (
          <EmptyState title={words.emptyTitle} text={words.emptyText} />
        )}
        {all.length > 0 && (
          <SearchBox
            value={q}
            change={(words) =>
              navigate({
                search: { tab: 'tools', ...(words ? { q: words } : {}) },
                replace: true,
                // The switches stay as they are while one looks for others.
                ignoreBlocker: true,
              })
            }
          />
        )}
        {all.length > 0 && shown.length === 0 && <Text role="status">{words.nothingFound}</Text>}
        {ACCESS.map((access) => {
          const some = shown.filter((tool) => tool.access === access);
          const on = some.filter((tool) => !off.has(tool.name)).length;
          return (
            some.length > 0 && (
              <section key={access}>
                <Group justify="space-between" gap="xs">
                  <Title order={2} size="h5">
                    {headings[access].title}
                  </Title>
                  <Text size="sm" c="dimmed">
                    {t.switches.count(on, some.length)}
                  </Text>
                </Group>
                <Text size="sm" c="dimmed" mb="xs">
                  {headings[access].text}
                </Text>
                <Accordion multiple variant="contained" order={3} chevronPosition="left">
                  {some.map((tool) => (
                    <ToolItem
                      key={tool.name}
                      tool={tool}
                      tools={all}
                      off={off}
                      {...(changes ? { change: (on: boolean) => change(tool, on) } : {})}
                    />
                  ))}
                </Accordion>
              </section>
            )
          );
        })}
        {changes && all.length > 0 && buttons}
      </Stack>
    </form>
  );
}
