import { Badge, Box, Group, Menu, Paper, Select, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../../api/client';
import { me } from '../../../api/session';
import { useTexts } from '../../../i18n';
import { done, failed } from '../../../parts/notify';
import { useFormats } from '../formats';
import { ask } from '../parts/dialog';
import { RowMenu } from '../parts/row-menu';
import { ROLES, type Role, useRights } from '../rights';
import { offerLink } from './reset';

type Member = Schemas['Member'];

/** One person of the team, their role, and what can be done about them. */
export function MemberRow({ tenant, member }: { tenant: string; member: Member }) {
  const t = useTexts();
  const { date, day } = useFormats(tenant);
  const { may, user } = useRights(tenant);
  const change = useMemberChanges(tenant, member);
  const isOwn = user?.id === member.user_id;
  const isSuspended = member.status === 'suspended';
  const issue = () =>
    told(
      api.POST('/api/v1/members/{user_id}/reset-token', { params: { path: { user_id: member.user_id } } }),
    );
  return (
    <Paper withBorder px="md" py="xs">
      <Group gap="sm" wrap="wrap">
        <Box flex="1 1 200px" miw={0}>
          <Group gap="xs">
            <Text fw={500}>{member.name}</Text>
            {isOwn && (
              <Badge variant="light" size="sm">
                {t.settings.team.you}
              </Badge>
            )}
            {isSuspended && (
              <Badge variant="light" size="sm" color="ochre">
                {t.settings.statuses.suspended}
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {member.email} · {t.settings.team.since(day(member.created_at))}
          </Text>
        </Box>
        {may('members:write') ? (
          <Group gap="xs" wrap="nowrap">
            <Select
              aria-label={t.settings.team.roleOf(member.name)}
              data={ROLES.map((value) => ({ value, label: t.settings.roles[value] }))}
              value={member.role}
              allowDeselect={false}
              w={170}
              disabled={change.isPending}
              onChange={(value) => value && value !== member.role && change.toRole(value as Role)}
            />
            <RowMenu label={t.settings.actionsOf(member.name)}>
              <Menu.Item onClick={() => offerLink(member, issue, date)}>
                {t.settings.team.resetConfirm}
              </Menu.Item>
              <Menu.Item onClick={isSuspended ? change.restore : change.suspend}>
                {isSuspended ? t.settings.restore : t.settings.suspend}
              </Menu.Item>
              <Menu.Item color="red" onClick={change.remove}>
                {t.settings.team.remove}
              </Menu.Item>
            </RowMenu>
          </Group>
        ) : (
          <Badge variant="light" color="gray">
            {t.settings.roles[member.role]}
          </Badge>
        )}
      </Group>
    </Paper>
  );
}

function useMemberChanges(tenant: string, member: Member) {
  const t = useTexts();
  const queries = useQueryClient();
  const path = { user_id: member.user_id };
  const again = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: [tenant, 'members'] }),
      queries.invalidateQueries({ queryKey: [tenant, 'usage'] }),
      // Whoever changes themselves may see less from now on.
      queries.invalidateQueries({ queryKey: me.queryKey }),
    ]);
  const changing = useMutation({
    mutationFn: (body: Schemas['UpdateMember']) =>
      told(api.PATCH('/api/v1/members/{user_id}', { params: { path }, body })),
    onSuccess: async () => {
      done(t.common.saved);
      await again();
    },
    onError: failed,
  });
  const removing = useMutation({
    mutationFn: () => told(api.DELETE('/api/v1/members/{user_id}', { params: { path } })),
    onSuccess: async () => {
      done(t.settings.team.removed(member.name));
      await again();
    },
    onError: failed,
  });
  return {
    isPending: changing.isPending || removing.isPending,
    toRole: (role: Role) =>
      ask({
        title: t.settings.team.changeTitle(member.name, t.settings.roles[role]),
        text: t.settings.team.roleTexts[role],
        confirm: t.settings.team.change,
        act: () => changing.mutate({ role }),
      }),
    suspend: () =>
      ask({
        title: t.settings.team.suspendTitle(member.name),
        text: t.settings.team.suspendText,
        confirm: t.settings.suspend,
        danger: true,
        act: () => changing.mutate({ status: 'suspended' }),
      }),
    restore: () => changing.mutate({ status: 'active' }),
    remove: () =>
      ask({
        title: t.settings.team.removeTitle(member.name),
        text: t.settings.team.removeText,
        confirm: t.settings.team.remove,
        danger: true,
        act: () => removing.mutate(),
      }),
  };
}
