import { Button, Center, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { api, told } from '../api/client';
import { forgetTyped, me, typedPassword } from '../api/session';
import { useTexts } from '../i18n';
import { FailureNotice } from '../parts/failures';
import { fieldProblems, isShownInPlace } from './settings/problems';

export function NewPasswordPage() {
  const t = useTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { to } = useSearch({ from: '/new-password' });
  const form = useForm({
    initialValues: { current: typedPassword(), next: '', again: '' },
    validate: { again: (again, { next }) => (again === next ? null : t.newPassword.differ) },
  });
  const changing = useMutation({
    mutationFn: async ({ current, next }: typeof form.values) => {
      const body = { current_password: current, new_password: next };
      await told(api.POST('/api/v1/auth/password', { body }));
      await queries.fetchQuery({ ...me, staleTime: 0 });
    },
    onSuccess: () => {
      forgetTyped();
      return navigate({ href: to ?? '/' });
    },
    onError: (error) => form.setFieldError('next', fieldProblems(error, t).new_password),
  });
  const isInPlace = isShownInPlace(changing.error, ['new_password']);
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder p="xl" w="100%" maw={420}>
        <form onSubmit={form.onSubmit((values) => changing.mutate(values))}>
          <Stack>
            <Title order={1} size="h3">
              {t.newPassword.title}
            </Title>
            <Text size="sm" c="dimmed">
              {t.newPassword.why}
            </Text>
            {changing.isError && !isInPlace && <FailureNotice error={changing.error} />}
            <PasswordInput
              label={t.newPassword.current}
              autoComplete="current-password"
              required
              {...form.getInputProps('current')}
            />
            <PasswordInput
              label={t.newPassword.next}
              autoComplete="new-password"
              required
              minLength={10}
              {...form.getInputProps('next')}
            />
            <PasswordInput
              label={t.newPassword.again}
              autoComplete="new-password"
              required
              {...form.getInputProps('again')}
            />
            <Button type="submit" loading={changing.isPending}>
              {t.newPassword.submit}
            </Button>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}
