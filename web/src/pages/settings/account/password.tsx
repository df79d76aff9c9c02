import { Button, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, api, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { useGuard } from '../../../parts/guard';
import { done } from '../../../parts/notify';
import { BELOW } from '../parts/below';
import { fieldProblems, isShownInPlace } from '../problems';
import { sessions } from '../queries';

/** A new password for whoever is signed in. All their other sessions end with it. */
export function PasswordForm() {
  const t = useTexts();
  const queries = useQueryClient();
  const form = useForm({
    initialValues: { current: '', next: '', again: '' },
    validate: { again: (again, { next }) => (again === next ? null : t.newPassword.differ) },
  });
  useGuard(form.isDirty());
  const changing = useMutation({
    mutationFn: ({ current, next }: typeof form.values) =>
      told(api.POST('/api/v1/auth/password', { body: { current_password: current, new_password: next } })),
    onSuccess: async () => {
      form.reset();
      done(t.settings.account.passwordChanged);
      await queries.invalidateQueries({ queryKey: sessions.queryKey });
    },
    onError: (error) => {
      const { new_password: next } = fieldProblems(error, t);
      if (next) form.setFieldError('next', next);
      if (isWrongPassword(error)) form.setFieldError('current', t.settings.account.wrongPassword);
    },
  });
  const isInPlace = isWrongPassword(changing.error) || isShownInPlace(changing.error, ['new_password']);
  return (
    <Paper withBorder p="md" component="form" onSubmit={form.onSubmit((values) => changing.mutate(values))}>
      <Stack maw={420}>
        <div>
          <Title order={2} size="h4">
            {t.settings.account.password}
          </Title>
          <Text size="sm" c="dimmed">
            {t.settings.account.passwordText}
          </Text>
        </div>
        {changing.isError && !isInPlace && <FailureNotice error={changing.error} />}
        <PasswordInput
          label={t.newPassword.current}
          autoComplete="current-password"
          required
          maxLength={200}
          {...form.getInputProps('current')}
        />
        <PasswordInput
          label={t.newPassword.next}
          description={t.settings.account.passwordHelp}
          {...BELOW}
          autoComplete="new-password"
          required
          minLength={10}
          maxLength={200}
          {...form.getInputProps('next')}
        />
        <PasswordInput
          label={t.newPassword.again}
          autoComplete="new-password"
          required
          maxLength={200}
          {...form.getInputProps('again')}
        />
        <Button type="submit" loading={changing.isPending} style={{ alignSelf: 'flex-start' }}>
          {t.settings.account.change}
        </Button>
      </Stack>
    </Paper>
  );
}

function isWrongPassword(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'BAD_CREDENTIALS';
}
