import { Button, Group, Paper, Progress, Stack, Table, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api, told } from '../api/client';
import { useDates, useTexts } from '../i18n';
import { FailureNotice } from '../parts/failures';
import { failed } from '../parts/notify';
import { Page } from '../parts/page';

export function SettingsPage() {
  const t = useTexts();
  const dates = useDates();
  const queries = useQueryClient();
  const { tenant } = useParams({ from: '/inside/t/$tenant' });
  const current = useQuery({ queryKey: [tenant, 'tenant'], queryFn: () => told(api.GET('/api/v1/tenant')) });
  const usage = useQuery({ queryKey: [tenant, 'usage'], queryFn: () => told(api.GET('/api/v1/usage')) });
  const sessions = useQuery({
    queryKey: ['sessions'],
    queryFn: () => told(api.GET('/api/v1/auth/sessions')),
  });
  const ending = useMutation({
    mutationFn: (id: string) =>
      told(api.DELETE('/api/v1/auth/sessions/{session_id}', { params: { path: { session_id: id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
    onError: failed,
  });
  return (
    <Page title={t.settings.title}>
      <Paper withBorder p="md">
        <Title order={2} size="h4" mb="xs">
          {t.settings.business}
        </Title>
        {current.isError && <FailureNotice error={current.error} />}
        {current.data && (
          <Stack gap={4}>
            <Text>{current.data.name}</Text>
            <Text size="sm" c="dimmed">
              {t.settings.timeZone}: {current.data.time_zone} · {t.settings.locale}: {current.data.locale}
            </Text>
          </Stack>
        )}
      </Paper>
      {usage.data && (
        <Paper withBorder p="md">
          <Title order={2} size="h4" mb="xs">
            {t.settings.plan}: {usage.data.plan.name}
          </Title>
          <Stack gap="xs">
            {usage.data.limits.map((limit) => (
              <div key={limit.limit}>
                <Group justify="space-between">
                  <Text size="sm">{limit.limit}</Text>
                  <Text size="sm">
                    {limit.used} / {limit.value ?? '∞'}
                  </Text>
                </Group>
                <Progress
                  value={limit.value ? (100 * limit.used) / limit.value : 0}
                  aria-label={limit.limit}
                />
              </div>
            ))}
          </Stack>
        </Paper>
      )}
      <Paper withBorder p="md">
        <Title order={2} size="h4" mb="xs">
          {t.settings.sessions}
        </Title>
        <Table.ScrollContainer minWidth={420}>
          <Table fz="sm">
            <Table.Tbody>
              {sessions.data?.map((session) => (
                <Table.Tr key={session.id}>
                  <Table.Td maw={280} style={{ overflowWrap: 'anywhere' }}>
                    {session.user_agent ?? '–'}
                  </Table.Td>
                  <Table.Td>{dates(session.created_at)}</Table.Td>
                  <Table.Td ta="right">
                    {session.current ? (
                      t.settings.thisOne
                    ) : (
                      <Button size="compact-xs" variant="subtle" onClick={() => ending.mutate(session.id)}>
                        {t.settings.end}
                      </Button>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Paper>
    </Page>
  );
}
