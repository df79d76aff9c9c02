import { Button, Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { useGuard } from '../../parts/guard';
import { done } from '../../parts/notify';
import { useOnce } from '../settings/once';

/** A frequent question that says what an answer should have said. */
export function CorrectingFaq({
  tenant,
  question,
  saved,
}: {
  tenant: string;
  question: string;
  saved: () => void;
}) {
  const t = useTexts();
  const queries = useQueryClient();
  const key = useOnce();
  const form = useForm({ initialValues: { question: question.slice(0, 300), answer: '' } });
  const letGo = useGuard(() => form.isDirty());
  const saving = useMutation({
    mutationFn: (values: { question: string; answer: string }) => {
      const body = { ...values, active: true };
      return told(api.POST('/api/v1/faqs', { params: { header: key.header(body) }, body }));
    },
    onSuccess: async () => {
      done(t.why.faqSaved);
      key.forget();
      letGo();
      saved();
      await queries.invalidateQueries({ queryKey: [tenant, 'business'] });
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))}>
      <Stack gap="xs">
        {saving.isError && <FailureNotice error={saving.error} />}
        <Textarea
          label={t.why.question}
          required
          autosize
          maxLength={300}
          {...form.getInputProps('question')}
        />
        <Textarea
          label={t.why.answer}
          description={t.why.answerHelp}
          required
          autosize
          minRows={3}
          maxLength={4000}
          {...form.getInputProps('answer')}
        />
        <Button type="submit" loading={saving.isPending} style={{ alignSelf: 'flex-start' }}>
          {t.why.saveFaq}
        </Button>
      </Stack>
    </form>
  );
}
