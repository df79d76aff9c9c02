import { Alert, Badge, Blockquote, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { ListSkeleton } from '../../parts/skeletons';
import { useFormats } from '../customers/formats';
import { PromptPreview } from './preview';
import { LeftOut } from './preview/left-out';
import { PromptingSwitch } from './prompting';
import { promptsOf, type SavedAgent } from './queries';

type AgentPrompt = Schemas['AgentPrompt'];
type Props = { tenant: string; agent: SavedAgent };

/** What a model reads before every message, and how much of it each part takes. */
export function PromptTab({ tenant, agent }: Props) {
  const t = useTexts();
  const prompts = useQuery(promptsOf(tenant, agent.id));
  return (
    <Stack maw={860}>
      <Text size="sm">{t.agents.prompt.intro(t.agents.styles[agent.settings.response_style])}</Text>
      <PromptPreview tenant={tenant} agent={agent} />
      <Title order={2} size="h5" mt="sm">
        {t.preview.history}
      </Title>
      {prompts.isError && <FailureNotice error={prompts.error} again={prompts.refetch} />}
      {prompts.isPending && <ListSkeleton />}
      {prompts.data?.data.map((prompt) => (
        <PromptCard key={`${prompt.medium} ${prompt.language}`} tenant={tenant} prompt={prompt} />
      ))}
      <PromptingSwitch tenant={tenant} />
    </Stack>
  );
}

function PromptCard({ tenant, prompt }: { tenant: string; prompt: AgentPrompt }) {
  const t = useTexts();
  const words = t.agents.prompt;
  const formats = useFormats(tenant);
  return (
    <Paper withBorder p="md" component="section">
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={3} size="h6">
            {words.media[prompt.medium]}
          </Title>
          <Group gap="xs">
            <Badge variant="light" color={prompt.source === 'legacy' ? 'ochre' : 'teal'} tt="none">
              {t.agents.promptSources[prompt.source]}
            </Badge>
            <Text fw={600}>{words.total(formats.count(prompt.tokens))}</Text>
          </Group>
        </Group>
        <LeftOut leftOut={prompt.left_out} />
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
