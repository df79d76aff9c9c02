import { Button, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { useGuard } from '../../parts/guard';
import { agentsOf } from '../agents/queries';
import { useOnce } from '../settings/once';

type Values = { name: string; description: string; scope: 'global' | 'personal' };

/** A knowledge base for everybody, where whoever makes it may, or for themselves alone. */
export function NewBaseForm({ tenant, shares }: { tenant: string; shares: boolean }) {
  const t = useTexts();
  const words = t.knowledge;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const agents = useQuery(agentsOf(tenant)).data?.data;
  // A personal one that no agent may read is kept all the same, and searched on trial.
  const unread = agents !== undefined && !agents.some((agent) => agent.allows_personal_corpus);
  const form = useForm<Values>({
    initialValues: { name: '', description: '', scope: shares ? 'global' : 'personal' },
  });
  const letGo = useGuard(() => form.isDirty());
  const key = useOnce();
  const making = useMutation({
    mutationFn: ({ name, description, scope }: Values) => {
      const body = { name, description: description.trim() || null, scope };
      return told(api.POST('/api/v1/knowledge-bases', { body, params: { header: key.header(body) } }));
    },
    onSuccess: async (kb) => {
      letGo();
      await queries.invalidateQueries({ queryKey: [tenant, 'bases'] });
      await navigate({ to: '/t/$tenant/knowledge/$kb', params: { tenant, kb: kb.id } });
    },
  });
  const personal = form.values.scope === 'personal';
  return (
    <form onSubmit={form.onSubmit((values) => making.mutate(values))}>
      <Stack>
        {making.isError && <FailureNotice error={making.error} />}
        <TextInput
          label={t.common.name}
          required
          maxLength={100}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Textarea
          label={words.description}
          maxLength={2000}
          autosize
          {...form.getInputProps('description')}
        />
        {shares && (
          <Radio.Group label={words.whoseTitle} {...form.getInputProps('scope')}>
            <Stack gap="xs" mt="xs">
              <Radio value="global" label={words.shared} description={words.sharedText} />
              <Radio value="personal" label={words.scopes.personal} description={words.personalText} />
            </Stack>
          </Radio.Group>
        )}
        {!shares && (
          <Text size="sm" c="dimmed">
            {words.personalText}
          </Text>
        )}
        {personal && unread && (
          <Text size="sm" c="dimmed">
            {words.noAgentReadsPersonal}
          </Text>
        )}
        <Button type="submit" loading={making.isPending}>
          {shares ? words.create : words.createPersonal}
        </Button>
      </Stack>
    </form>
  );
}
