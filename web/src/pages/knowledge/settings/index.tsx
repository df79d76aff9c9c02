import { Alert, Button, Grid, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { done } from '../../../parts/notify';
import { problemsOf, showProblems, useGuard } from '../../agents/forms';
import { SaveFailure } from '../../agents/section';
import { followed, useFollowing } from '../../business/form/following';
import { baseOf, type KnowledgeBase, statsOf } from '../queries';
import { useBaseRights } from '../rights';
import { AboutSection } from './about';
import { ReadAgain } from './again';
import { ChunkingSection } from './chunking';
import { EmbeddingSection } from './embedding';
import { ArchiveAndDelete } from './ending';
import { ChunkPreview } from './preview';
import { type BaseValues, changeOf, chunkingOf, consequences, valuesOf } from './values';

export type BaseForm = ReturnType<typeof useForm<BaseValues>>;

/** What a knowledge base is called, how its documents are cut and who makes their vectors. */
export function BaseSettings({ tenant, base }: { tenant: string; base: KnowledgeBase }) {
  const t = useTexts();
  const words = t.baseSettings;
  const queries = useQueryClient();
  const rights = useBaseRights(tenant, base);
  const current = valuesOf(base);
  const form = useForm<BaseValues>({ initialValues: current });
  const { began, take } = useFollowing(followed(form), current);
  const letGo = useGuard(() => form.isDirty());
  const stats = useQuery(statsOf(tenant, base.id)).data;
  const documents = stats?.documents ?? 0;
  const saving = useMutation({
    mutationFn: (values: BaseValues) =>
      told(
        api.PATCH('/api/v1/knowledge-bases/{kb_id}', {
          params: { path: { kb_id: base.id } },
          body: changeOf(began.current.values, values),
        }),
      ),
    onSuccess: async (saved) => {
      take(valuesOf(saved));
      done(t.common.saved);
      queries.setQueryData(baseOf(tenant, base.id).queryKey, saved);
      await queries.invalidateQueries({ queryKey: [tenant, 'bases'] });
    },
    onError: (error) => showProblems(form, problemsOf(error, t)),
  });
  const { cutAgain, embedAgain } = consequences(began.current.values, form.values);
  const named = base.scope === 'global' || base.scope === 'personal';
  return (
    <Stack>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <form onSubmit={form.onSubmit((values) => saving.mutate(values))}>
            <Stack>
              <AboutSection form={form} named={named} />
              <ChunkingSection form={form} />
              <EmbeddingSection form={form} base={base} chunks={stats?.chunks ?? 0} />
              {cutAgain && documents > 0 && <Alert color="ochre">{words.cutAgain(documents)}</Alert>}
              {embedAgain && documents > 0 && (
                <Alert color="ochre">{words.embedAgain(stats?.chunks ?? 0)}</Alert>
              )}
              {saving.isError && <SaveFailure error={saving.error} />}
              <Group>
                <Button type="submit" loading={saving.isPending} disabled={!form.isDirty()}>
                  {t.common.save}
                </Button>
                {form.isDirty() && (
                  <Button variant="default" onClick={form.reset}>
                    {words.discard}
                  </Button>
                )}
              </Group>
            </Stack>
          </form>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <ChunkPreview tenant={tenant} base={base} config={chunkingOf(form.values)} />
        </Grid.Col>
      </Grid>
      {rights.writes && documents > 0 && (
        <ReadAgain tenant={tenant} kb={base.id} documents={documents} disabled={form.isDirty()} />
      )}
      {rights.deletes ? (
        <ArchiveAndDelete tenant={tenant} base={base} documents={documents} letGo={letGo} />
      ) : (
        <Text size="sm" c="dimmed">
          {words.managed}
        </Text>
      )}
    </Stack>
  );
}
