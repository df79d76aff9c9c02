import { Alert, Button, Checkbox, Group, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { FoundPassage } from './passage';
import { SearchTimes } from './times';

type Mode = Schemas['SearchMode'];

const MODES = ['hybrid', 'dense', 'lexical'] as const;

/** What a search of this knowledge base would find, how well, and why. */
export function TrialSearch({ tenant, kb }: { tenant: string; kb: string }) {
  const t = useTexts();
  const words = t.knowledge;
  const form = useForm({
    initialValues: { query: '', top_k: 5, similarity_threshold: 0.7, mode: 'hybrid' as Mode, rerank: false },
  });
  const search = useMutation({
    mutationFn: (body: typeof form.values) =>
      told(api.POST('/api/v1/knowledge-bases/{kb_id}/search', { params: { path: { kb_id: kb } }, body })),
  });
  const found = search.data;
  return (
    <Stack>
      <form onSubmit={form.onSubmit((values) => search.mutate(values))}>
        <Stack gap="xs">
          <Group align="flex-end" gap="xs">
            <TextInput
              label={words.query}
              required
              maxLength={4000}
              style={{ flex: '1 1 220px' }}
              {...form.getInputProps('query')}
            />
            <Button type="submit" loading={search.isPending}>
              {t.common.search}
            </Button>
          </Group>
          <Group gap="xs" align="flex-end">
            <NumberInput label={words.topK} min={1} max={20} w={100} {...form.getInputProps('top_k')} />
            <NumberInput
              label={words.threshold}
              min={0}
              max={1}
              step={0.05}
              decimalScale={2}
              w={110}
              {...form.getInputProps('similarity_threshold')}
            />
            <Select
              label={words.mode}
              data={MODES.map((value) => ({ value, label: words.modes[value] }))}
              allowDeselect={false}
              {...form.getInputProps('mode')}
            />
            <Checkbox label={words.rerank} pb={8} {...form.getInputProps('rerank', { type: 'checkbox' })} />
          </Group>
        </Stack>
      </form>
      {search.isError && <FailureNotice error={search.error} />}
      {found && (
        <Stack gap="xs" aria-live="polite">
          <Text size="sm" c="dimmed">
            {found.chunks.length > 0
              ? words.found(found.chunks.length, found.search_time_ms)
              : words.nothingFound}
          </Text>
          <SearchTimes timings={found.timings} searched={found.total_chunks_searched} />
          {found.degraded.map((part) => (
            <Alert key={part} color="ochre" p="xs">
              {t.documents.degraded[part as keyof typeof t.documents.degraded] ?? part}
            </Alert>
          ))}
          {found.chunks.map((chunk) => (
            <FoundPassage
              key={chunk.chunk_id}
              tenant={tenant}
              chunk={chunk}
              query={search.variables.query}
              reranked={search.variables.rerank && !found.degraded.includes('rerank')}
            />
          ))}
        </Stack>
      )}
    </Stack>
  );
}
