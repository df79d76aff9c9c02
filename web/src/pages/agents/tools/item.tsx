import { Accordion, Badge, Code, Group, Stack, Switch, Text } from '@mantine/core';
import { useTexts } from '../../../i18n';
import type { Tool } from '../queries';
import { ToolParameters } from './parameters';
import { dependentsOf, missingOf } from './switches';

type Props = {
  tool: Tool;
  tools: readonly Tool[];
  off: ReadonlySet<string>;
  /** Left out for whoever may only look. */
  change?: (on: boolean) => void;
};

/** A tool with its switch, what it takes, and what it depends on. */
export function ToolItem({ tool, tools, off, change }: Props) {
  const t = useTexts();
  const names: Record<string, string> = t.conversations.specialists;
  const everybody = tool.specialists.length >= Object.keys(names).length;
  const isOff = off.has(tool.name);
  const missing = missingOf(tool, off);
  return (
    <Accordion.Item value={tool.name}>
      <Group gap={0} wrap="nowrap" pr="sm">
        <Accordion.Control>
          <Group gap="xs">
            <Code style={{ overflowWrap: 'anywhere' }}>{tool.name}</Code>
            {tool.access === 'write' && (
              <Badge size="sm" variant="light" color="ochre" tt="none">
                {t.agents.write}
              </Badge>
            )}
            {tool.essential && (
              <Badge size="sm" variant="light" tt="none">
                {t.switches.always}
              </Badge>
            )}
          </Group>
          <Text size="sm" mt={4} c={isOff ? 'dimmed' : undefined}>
            {tool.description}
          </Text>
          {missing.length > 0 && (
            <Text size="xs" mt={4} c="ochre.8" darkHidden>
              {t.switches.goesWith(missing.join(', '))}
            </Text>
          )}
          {missing.length > 0 && (
            <Text size="xs" mt={4} c="ochre.4" lightHidden>
              {t.switches.goesWith(missing.join(', '))}
            </Text>
          )}
        </Accordion.Control>
        <Switch
          aria-label={t.switches.isOn(tool.name)}
          checked={!isOff}
          disabled={!change || tool.essential || missing.length > 0}
          onChange={(event) => change?.(event.currentTarget.checked)}
        />
      </Group>
      <Accordion.Panel>
        <Stack gap="sm">
          <ToolParameters tool={tool} />
          <Depending tool={tool} tools={tools} />
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

function Depending({ tool, tools }: { tool: Tool; tools: readonly Tool[] }) {
  const t = useTexts();
  const others = dependentsOf(tool, tools);
  if (tool.essential)
    return (
      <Text size="xs" c="dimmed">
        {t.switches.alwaysHelp}
      </Text>
    );
  if (others.length === 0) return null;
  return (
    <Text size="xs" c="dimmed">
      {t.switches.takesAlong(others.join(', '))}
    </Text>
  );
}
