import { Button, Center, Group, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { signIn } from '../api/session';
import { useTexts } from '../i18n';
import { FailureNotice } from '../parts/failures';
import { QuipuMark } from '../shell/QuipuMark';

export function SignInPage() {
  const t = useTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { to } = useSearch({ from: '/sign-in' });
  const form = useForm({ initialValues: { email: '', password: '' } });
  const entering = useMutation({
    mutationFn: ({ email, password }: typeof form.values) => signIn(queries, email, password),
    onSuccess: () => navigate({ href: to ?? '/' }),
  });
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder p="xl" w="100%" maw={400}>
        <form onSubmit={form.onSubmit((values) => entering.mutate(values))}>
          <Stack>
            <Group gap="sm">
              <QuipuMark size={36} />
              <Title order={1} size="h3">
                {t.signIn.title}
              </Title>
            </Group>
            {entering.isError && <FailureNotice error={entering.error} />}
            <TextInput
              label={t.signIn.email}
              type="email"
              autoComplete="username"
              required
              data-autofocus
              {...form.getInputProps('email')}
            />
            <PasswordInput
              label={t.signIn.password}
              autoComplete="current-password"
              required
              {...form.getInputProps('password')}
            />
            <Button type="submit" loading={entering.isPending}>
              {t.signIn.submit}
            </Button>
            <Text size="xs" c="dimmed">
              {t.signIn.first}
            </Text>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}
