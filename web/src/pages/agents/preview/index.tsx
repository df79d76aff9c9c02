import {
  Badge,
  Button,
  Group,
  Paper,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { done, failed } from '../../../parts/notify';
import { ListSkeleton } from '../../../parts/skeletons';
import { useFormats } from '../../customers/formats';
import { useRights } from '../../settings/rights';
import { useDraftSaving } from '../drafts/editing';
import { type SavedAgent, savedDraftOf, unsavedOf } from '../queries';
import { choices } from '../settings/sections';
import { KINDS, STYLES } from '../settings/values';
import { LeftOut } from './left-out';
import { PromptSections } from './sections';

type Props = { tenant: string; agent: SavedAgent };
type Choice = { response_style: Schemas['ResponseStyle']; assistant_type: Schemas['AssistantType'] };
type Base = 'live' | 'draft';

const MEDIA = ['messaging', 'voice'] as const satisfies readonly Schemas['Medium'][];

const previewOf = (tenant: string, agent: string, body: Schemas['PreviewPrompt']) => ({
  // What others save shows here as well.
  queryKey: [tenant, 'agents', agent, 'prompts', 'preview', body],
  queryFn: () =>
    told(api.POST('/api/v1/agents/{agent}/prompts/preview', { params: { path: { agent } }, body })),
  placeholderData: keepPreviousData,
});

/** The prompt as a model is told it, or would be with another style or purpose. */
export function PromptPreview({ tenant, agent }: Props) {
  const t = useTexts();
  const words = t.preview;
  const { may } = useRights(tenant);
  const hasDraft = agent.draft != null;
  const [base, setBase] = useState<Base>(hasDraft ? 'draft' : 'live');
  const [medium, setMedium] = useState<Schemas['Medium']>('messaging');
  const [chosen, choose] = useState<Partial<Choice>>({});
  const draft = useQuery({ ...savedDraftOf(tenant, agent.id), enabled: hasDraft });
  const saved = base === 'draft' ? draft.data?.configuration.settings : agent.settings;
  const isNew = Object.entries(chosen).some(
    ([name, value]) => saved && saved[name as keyof Choice] !== value,
  );
  const settings = isNew ? chosen : null;
  const shown = useQuery(
    previewOf(tenant, agent.id, { medium, changes: unsavedOf(base === 'draft', settings) }),
  );
  // This begins anew with the first draft, and would not hear of it any later.
  const saving = useDraftSaving(tenant, agent, () => {
    choose({});
    done(t.versions.draftSaved);
  });
  const keep = () =>
    saving.mutate({ settings: chosen, revision: agent.draft?.revision ?? null }, { onError: failed });
  const pick = (part: Partial<Choice>) => choose({ ...chosen, ...part });
  return (
    <Paper withBorder p="md" component="section">
      <Stack gap="sm">
        <div>
          <Title order={2} size="h5">
            {words.title}
          </Title>
          <Text size="sm" c="dimmed">
            {words.intro}
          </Text>
        </div>
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
          <Select
            label={t.agents.style}
            data={choices(STYLES, t.agents.styles)}
            allowDeselect={false}
            value={chosen.response_style ?? saved?.response_style ?? null}
            onChange={(value) => value && pick({ response_style: value as Choice['response_style'] })}
          />
          <Select
            label={t.agents.kind}
            data={choices(KINDS, t.agents.kinds)}
            allowDeselect={false}
            value={chosen.assistant_type ?? saved?.assistant_type ?? null}
            onChange={(value) => value && pick({ assistant_type: value as Choice['assistant_type'] })}
          />
          <Select
            label={words.medium}
            data={choices(MEDIA, t.agents.prompt.media)}
            allowDeselect={false}
            value={medium}
            onChange={(value) => value && setMedium(value as Schemas['Medium'])}
          />
        </SimpleGrid>
        <Group gap="sm">
          {hasDraft && (
            <SegmentedControl
              size="xs"
              aria-label={words.base}
              value={base}
              onChange={(value) => {
                setBase(value as Base);
                choose({});
              }}
              data={(['live', 'draft'] as const).map((value) => ({ value, label: words.bases[value] }))}
            />
          )}
          {isNew && may('agents:write') && (base === 'draft' || !hasDraft) && (
            <Button size="xs" loading={saving.isPending} onClick={keep}>
              {words.keep}
            </Button>
          )}
          {isNew && (
            <Button size="xs" variant="default" onClick={() => choose({})}>
              {words.reset}
            </Button>
          )}
        </Group>
        {shown.isError && <FailureNotice error={shown.error} again={shown.refetch} />}
        {shown.isPending && <ListSkeleton />}
        {shown.data && (
          <Stack gap="sm" aria-busy={shown.isPlaceholderData} opacity={shown.isPlaceholderData ? 0.6 : 1}>
            <Totals tenant={tenant} prompt={shown.data} />
            <PromptSections tenant={tenant} agent={agent} prompt={shown.data} />
            <LeftOut leftOut={shown.data.left_out} />
            {saved?.polish && !shown.data.polished && (
              <Text size="xs" c="dimmed">
                {words.polishLater}
              </Text>
            )}
          </Stack>
        )}
      </Stack>
    </Paper>
  );
}

function Totals({ tenant, prompt }: { tenant: string; prompt: Schemas['PromptPreview'] }) {
  const t = useTexts();
  const words = t.preview;
  const formats = useFormats(tenant);
  const more = prompt.tokens - prompt.live_tokens;
  const same = prompt.sections.every((section) => section.changes.length === 0);
  const apart = more > 0 ? words.more(formats.count(more)) : words.less(formats.count(-more));
  return (
    <Group gap="xs" role="status">
      <Text fw={600}>{words.total(formats.count(prompt.tokens))}</Text>
      <Badge variant="light" color={prompt.source === 'legacy' ? 'ochre' : 'teal'} tt="none">
        {t.agents.promptSources[prompt.source]}
      </Badge>
      {prompt.polished && (
        <Badge variant="light" tt="none">
          {words.polished}
        </Badge>
      )}
      <Text size="sm" c="dimmed">
        {same ? words.same : more !== 0 && apart}
      </Text>
    </Group>
  );
}
