import { Button, Center, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { api, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { ButtonLink } from '../../parts/links';
import { fieldProblems, isShownInPlace } from './problems';

/** Where a one-time link leads: a person chooses the password with which they sign in. */
export function SetPasswordPage() {
  const t = useTexts();
  const queries = useQueryClient();
  const token = useRouterState({ select: (state) => state.location.hash });
  const form = useForm({
    initialValues: { next: '', again: '' },
    validate: { again: (again, { next }) => (again === next ? null : t.newPassword.differ) },
  });
  const setting = useMutation({
    mutationFn: ({ next }: typeof form.values) =>
      told(api.POST('/api/v1/auth/password/reset', { body: { reset_token: token, password: next } })),
    // Whoever was signed in here is not any more.
    onSuccess: () => queries.clear(),
    onError: (error) => {
      const { password } = fieldProblems(error, t);
      if (password) form.setFieldError('next', password);
    },
  });
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder p="xl" w="100%" maw={420}>
        <Stack>
          <Title order={1} size="h3">
            {setting.isSuccess ? t.settings.setPassword.done : t.newPassword.title}
          </Title>
          {setting.isSuccess && (
            <>
              <Text size="sm" role="status">
                {t.settings.setPassword.doneText}
              </Text>
              <ButtonLink to="/sign-in">{t.signIn.submit}</ButtonLink>
            </>
          )}
          {!setting.isSuccess && !token && <Text size="sm">{t.settings.setPassword.incomplete}</Text>}
          {!setting.isSuccess && token && (
            <form onSubmit={form.onSubmit((values) => setting.mutate(values))}>
              <Stack>
                <Text size="sm" c="dimmed">
                  {t.settings.setPassword.why}
                </Text>
                {setting.isError && !isShownInPlace(setting.error, ['password']) && (
                  <FailureNotice error={setting.error} />
                )}
                <PasswordInput
                  label={t.newPassword.next}
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
                <Button type="submit" loading={setting.isPending}>
                  {t.settings.setPassword.submit}
                </Button>
              </Stack>
            </form>
          )}
        </Stack>
      </Paper>
    </Center>
  );
}
