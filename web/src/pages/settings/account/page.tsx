import { Badge, Group, Paper, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useTexts } from '../../../i18n';
import { Page } from '../../../parts/page';
import { useRights } from '../rights';
import { PasswordForm } from './password';
import { SessionList } from './sessions';

export function AccountPage() {
  const t = useTexts();
  const { tenant } = useParams({ from: '/inside/t/$tenant' });
  const { user, runs, role } = useRights(tenant);
  return (
    <Page title={t.settings.sections.account}>
      {user && (
        <Paper withBorder p="md">
          <Group justify="space-between">
            <Stack gap={0}>
              <Text fw={600}>{user.name}</Text>
              <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {user.email}
              </Text>
            </Stack>
            <Badge variant="light">
              {runs ? t.settings.runsPlatform : role ? t.settings.roles[role] : t.settings.noRole}
            </Badge>
          </Group>
        </Paper>
      )}
      <SessionList tenant={tenant} />
      <PasswordForm />
    </Page>
  );
}
