import { Alert, Badge, Blockquote, Group, List, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { TextLink } from '../../parts/links';
import { ListSkeleton } from '../../parts/skeletons';
import { useFormats } from '../customers/formats';
import { PromptingSwitch } from './prompting';
import { promptsOf, type SavedAgent } from './queries';

type AgentPrompt = Schemas['AgentPrompt'];
type Props = { tenant: string; agent: SavedAgent };

/** Where a section of the prompt can be changed. */
const PLACES: Record<string, string> = {
  identity: 'settings',
  personality: 'settings',
  own_instructions: 'settings',
  critical_instructions: 'instructions',
  instructions: 'instructions',
  tools: 'tools',
};

/** What a model reads before every message, and how much of it each part takes. */
export function PromptTab({ tenant, agent }: Props) {
  const t = useTexts();
  const prompts = useQuery(promptsOf(tenant, agent.id));
  return (
    <Stack maw={860}>
      <Text size="sm">{t.agents.prompt.intro(t.agents.styles[agent.settings.response_style])}</Text>
      {prompts.isError && <FailureNotice error={prompts.error} again={prompts.refetch} />}
      {prompts.isPending && <ListSkeleton />}
      {prompts.data?.data.map((prompt) => (
        <PromptCard key={prompt.medium} tenant={tenant} agent={agent} prompt={prompt} />
      ))}
      <PromptingSwitch tenant={tenant} />
    </Stack>
  );
}

function PromptCard({ tenant, agent, prompt }: Props & { prompt: AgentPrompt }) {
  const t = useTexts();
  const words = t.agents.prompt;
  const formats = useFormats(tenant);
  return (
    <Paper withBorder p="md" component="section">
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h5">
            {words.media[prompt.medium]}
          </Title>
          <Group gap="xs">
            <Badge variant="light" color={prompt.source === 'legacy' ? 'ochre' : 'teal'} tt="none">
              {t.agents.promptSources[prompt.source]}
            </Badge>
            <Text fw={600}>{words.total(formats.count(prompt.tokens))}</Text>
          </Group>
        </Group>
        <SectionBars tenant={tenant} agent={agent} prompt={prompt} />
        <LeftOut prompt={prompt} />
        {prompt.polished && (
          <div>
            <Text size="sm" fw={600}>
              {words.polished}
            </Text>
            <Blockquote p="sm" mt={4} fz="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {prompt.polished}
            </Blockquote>
          </div>
        )}
        {prompt.refused && (
          <Alert color="ochre" title={words.refused}>
            {words.refusals[prompt.refused]}
          </Alert>
        )}
        <Text size="xs" c="dimmed">
          {prompt.updated_at
            ? `${words.made(prompt.regenerations)}; ${words.last(formats.full(prompt.updated_at))}`
            : words.neverAsked}
        </Text>
      </Stack>
    </Paper>
  );
}

function SectionBars({ tenant, agent, prompt }: Props & { prompt: AgentPrompt }) {
  const t = useTexts();
  const words = t.agents.prompt;
  const names: Record<string, string> = words.names;
  const formats = useFormats(tenant);
  const all = prompt.sections.map((section) => ({
    ...section,
    label: names[section.name] ?? section.name,
    share: section.tokens / Math.max(prompt.tokens, 1),
  }));
  const longest = Math.max(...all.map((section) => section.share), 0.01);
  return (
    <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label={words.sections}>
      {all.map(({ name, label, tokens, share }) => {
        const place = PLACES[name];
        const lead = place === 'tools' ? words.see : words.edit;
        return (
          <Group component="li" key={name} gap={4} justify="space-between">
            <Text size="sm">
              {label}
              {place && (
                <>
                  {' · '}
                  <TextLink
                    to="/t/$tenant/agents/$agent"
                    params={{ tenant, agent: agent.slug }}
                    search={{ tab: place }}
                    size="sm"
                    underline="always"
                    aria-label={`${lead}: ${label}`}
                  >
                    {lead}
                  </TextLink>
                </>
              )}
            </Text>
            <Text size="xs" c="dimmed">
              {words.share(formats.count(tokens), formats.percent(share))}
            </Text>
            <Progress value={(share / longest) * 100} flex="1 1 100%" aria-label={label} />
          </Group>
        );
      })}
    </Stack>
  );
}

function LeftOut({ prompt }: { prompt: AgentPrompt }) {
  const t = useTexts();
  const words = t.agents.prompt;
  const { critical_instructions, system_instructions, pieces } = prompt.left_out;
  const lines = [
    ...(critical_instructions > 0 ? [words.leftOutCritical(critical_instructions)] : []),
    ...(system_instructions ? [words.leftOutOwn] : []),
    ...(pieces > 0 ? [words.leftOutPieces(pieces)] : []),
  ];
  if (lines.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {words.nothingLeftOut}
      </Text>
    );
  return (
    <Alert color="ochre" title={words.leftOut}>
      <List size="sm">
        {lines.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
