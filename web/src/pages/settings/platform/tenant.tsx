import { Badge, Box, Group, Menu, Paper, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { TextLink } from '../../../parts/links';
import { done, failed } from '../../../parts/notify';
import { useFormats } from '../formats';
import { ask } from '../parts/dialog';
import { RowMenu } from '../parts/row-menu';
import type { Opened } from './tenants';

/** One tenant as whoever runs the platform sees it. */
export function TenantRow({
  current,
  tenant,
  open,
}: {
  current: string;
  tenant: Schemas['Tenant'];
  open: (opened: Opened) => void;
}) {
  const t = useTexts();
  const queries = useQueryClient();
  const { day } = useFormats(current);
  const isSuspended = tenant.status === 'suspended';
  const changing = useMutation({
    mutationFn: (status: Schemas['TenantStatus']) =>
      told(
        api.PATCH('/api/v1/tenants/{tenant_id}', {
          params: { path: { tenant_id: tenant.id } },
          body: { status },
        }),
      ),
    onSuccess: async () => {
      done(t.common.saved);
      await queries.invalidateQueries({ queryKey: ['tenants'] });
    },
    onError: failed,
  });
  const suspend = () =>
    ask({
      title: t.settings.platform.suspendTitle(tenant.name),
      text: t.settings.platform.suspendText,
      confirm: t.settings.suspend,
      danger: true,
      act: () => changing.mutate('suspended'),
    });
  return (
    <Paper withBorder px="md" py="xs">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Box miw={0}>
          <Group gap="xs">
            <TextLink to="/t/$tenant" params={{ tenant: tenant.slug }} fw={500}>
              {tenant.name}
            </TextLink>
            <Badge variant="light" color="gray" size="sm">
              {tenant.plan}
            </Badge>
            {isSuspended && (
              <Badge variant="light" color="ochre" size="sm">
                {t.settings.statuses.suspended}
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {tenant.slug} · {tenant.locale} · {tenant.time_zone} · {day(tenant.created_at)}
          </Text>
        </Box>
        <RowMenu label={t.settings.actionsOf(tenant.name)}>
          <Menu.Item onClick={() => open({ dialog: 'edit', tenant })}>{t.settings.edit}</Menu.Item>
          <Menu.Item onClick={() => open({ dialog: 'credits', tenant })}>
            {t.settings.platform.grant}
          </Menu.Item>
          <Menu.Item onClick={isSuspended ? () => changing.mutate('active') : suspend}>
            {isSuspended ? t.settings.restore : t.settings.suspend}
          </Menu.Item>
          <Menu.Item color="red" onClick={() => open({ dialog: 'delete', tenant })}>
            {t.common.delete}
          </Menu.Item>
        </RowMenu>
      </Group>
    </Paper>
  );
}
