import {
  Badge,
  Button,
  Checkbox,
  Group,
  NumberInput,
  Paper,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { TextLink } from '../../parts/links';
import { MarkedText } from '../../parts/marked';

type Mode = Schemas['SearchMode'];

/** What a search of this knowledge base would find, and how well. */
export function TrialSearch({ tenant, kb }: { tenant: string; kb: string }) {
  const t = useTexts();
  const form = useForm({
    initialValues: { query: '', top_k: 5, similarity_threshold: 0.7, mode: 'hybrid' as Mode, rerank: false },
  });
  const search = useMutation({
    mutationFn: (body: typeof form.values) =>
      told(api.POST('/api/v1/knowledge-bases/{kb_id}/search', { params: { path: { kb_id: kb } }, body })),
  });
  return (
    <Stack>
      <form onSubmit={form.onSubmit((values) => search.mutate(values))}>
        <Stack gap="xs">
          <Group align="flex-end" gap="xs">
            <TextInput
              label={t.knowledge.query}
              required
              style={{ flex: 1 }}
              {...form.getInputProps('query')}
            />
            <Button type="submit" loading={search.isPending}>
              {t.common.search}
            </Button>
          </Group>
          <Group gap="xs" align="flex-end">
            <NumberInput label={t.knowledge.topK} min={1} max={20} w={100} {...form.getInputProps('top_k')} />
            <NumberInput
              label={t.knowledge.threshold}
              min={0}
              max={1}
              step={0.05}
              decimalScale={2}
              w={110}
              {...form.getInputProps('similarity_threshold')}
            />
            <Select
              label={t.knowledge.mode}
              data={(['hybrid', 'dense', 'lexical'] as const).map((value) => ({
                value,
                label: t.knowledge.modes[value],
              }))}
              allowDeselect={false}
              {...form.getInputProps('mode')}
            />
            <Checkbox
              label={t.knowledge.rerank}
              pb={8}
              {...form.getInputProps('rerank', { type: 'checkbox' })}
            />
          </Group>
        </Stack>
      </form>
      {search.isError && <FailureNotice error={search.error} />}
      {search.isSuccess && (
        <Stack gap="xs" aria-live="polite">
          <Text size="sm" c="dimmed">
            {search.data.chunks.length > 0
              ? t.knowledge.found(search.data.chunks.length, search.data.search_time_ms)
              : t.knowledge.nothingFound}
          </Text>
          {search.data.chunks.map((chunk) => (
            <Paper key={chunk.chunk_id} withBorder p="md">
              <Group justify="space-between" mb={4}>
                <TextLink
                  to="/t/$tenant/knowledge/$kb/documents/$document"
                  params={{ tenant, kb: chunk.knowledge_base_id, document: chunk.document_id }}
                  search={{ chunk: chunk.chunk_id }}
                  size="sm"
                  fw={600}
                >
                  {chunk.document_name}
                </TextLink>
                <Group gap="xs">
                  {chunk.page_number != null && (
                    <Text size="xs" c="dimmed">
                      {t.knowledge.page(chunk.page_number)}
                    </Text>
                  )}
                  <Badge variant="light">{chunk.similarity_score.toFixed(2)}</Badge>
                </Group>
              </Group>
              <MarkedText text={chunk.content} words={search.variables.query} />
            </Paper>
          ))}
        </Stack>
      )}
    </Stack>
  );
}
