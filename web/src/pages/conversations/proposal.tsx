import { Button, Group, Paper, Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { useGuard } from '../../parts/guard';
import { TextLink } from '../../parts/links';
import { done } from '../../parts/notify';
import { type LearnedAnswer, learnedKey } from './queries';

/** A question and the answer a person gave, to be put into better words and kept, or not. */
export function ProposalForm({
  tenant,
  proposal,
  linked,
  leave,
}: {
  tenant: string;
  proposal: LearnedAnswer;
  linked: boolean;
  leave: () => void;
}) {
  const t = useTexts();
  const queries = useQueryClient();
  const { question, answer } = proposal;
  const form = useForm({ initialValues: { question, answer } });
  const letGo = useGuard(form.isDirty());
  const params = { path: { learned_answer_id: proposal.id } };
  const deciding = useMutation({
    mutationFn: (body: typeof form.values | null) =>
      told(
        body
          ? api.POST('/api/v1/learned-answers/{learned_answer_id}/approve', { params, body })
          : api.POST('/api/v1/learned-answers/{learned_answer_id}/reject', { params }),
      ),
    onSuccess: async (decided) => {
      letGo();
      done(decided.status === 'approved' ? t.conversations.approved : t.conversations.rejected);
      await queries.invalidateQueries({ queryKey: learnedKey(tenant) });
    },
  });
  return (
    <Paper withBorder p="sm">
      <form onSubmit={form.onSubmit((values) => deciding.mutate(values))}>
        <Stack gap="xs">
          {deciding.isError && <FailureNotice error={deciding.error} />}
          <Textarea
            label={t.conversations.question}
            required
            maxLength={300}
            autosize
            {...form.getInputProps('question')}
          />
          <Textarea
            label={t.conversations.answer}
            required
            maxLength={4000}
            autosize
            minRows={2}
            {...form.getInputProps('answer')}
          />
          <Group justify="space-between">
            <Group gap="xs">
              <Button type="submit" size="xs" loading={deciding.isPending}>
                {t.conversations.approve}
              </Button>
              <Button
                size="xs"
                variant="default"
                disabled={deciding.isPending}
                onClick={() => deciding.mutate(null)}
              >
                {t.conversations.reject}
              </Button>
            </Group>
            {linked && proposal.conversation_id && (
              <TextLink
                to="/t/$tenant/conversations/$conversation"
                params={{ tenant, conversation: proposal.conversation_id }}
                search
                size="sm"
                onClick={leave}
              >
                {t.conversations.seeThread}
              </TextLink>
            )}
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
