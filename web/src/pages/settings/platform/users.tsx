import { Badge, Box, Group, Menu, Paper, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { api, type Schemas, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { ButtonLink } from '../../../parts/links';
import { done, failed } from '../../../parts/notify';
import { EmptyState } from '../../../parts/page';
import { useFormats } from '../formats';
import { ask } from '../parts/dialog';
import { PagedList } from '../parts/paged-list';
import { RestrictedPage } from '../parts/refusal';
import { RowMenu } from '../parts/row-menu';
import { matcher, SearchBox } from '../parts/search-box';
import { userPages } from '../queries';
import { useRights } from '../rights';
import { offerLink } from '../team/reset';

type User = Schemas['User'];

export function UsersPage() {
  const t = useTexts();
  const { tenant } = useParams({ from: '/inside/t/$tenant' });
  return (
    <RestrictedPage
      tenant={tenant}
      needs="platform"
      title={t.settings.sections.users}
      intro={t.settings.platform.usersIntro}
    >
      <UserList tenant={tenant} />
    </RestrictedPage>
  );
}

function UserList({ tenant }: { tenant: string }) {
  const t = useTexts();
  const navigate = useNavigate({ from: '/t/$tenant/settings/platform/users' });
  const { q } = useSearch({ from: '/inside/t/$tenant/settings/platform/users' });
  const list = useInfiniteQuery(userPages);
  const textOf = (user: User) => `${user.name} ${user.email} ${t.settings.statuses[user.status]}`;
  return (
    <>
      <SearchBox value={q} change={(words) => navigate({ search: { q: words }, replace: true })} />
      <PagedList
        label={t.settings.sections.users}
        list={list}
        keyOf={(user) => user.id}
        matches={matcher(q, textOf)}
        render={(user) => <UserRow tenant={tenant} user={user} />}
        empty={
          <EmptyState
            title={t.settings.nothingFound}
            text={t.settings.platform.usersIntro}
            action={
              <ButtonLink to="/t/$tenant/settings/team" params={{ tenant }}>
                {t.settings.sections.team}
              </ButtonLink>
            }
          />
        }
      />
    </>
  );
}

function UserRow({ tenant, user }: { tenant: string; user: User }) {
  const t = useTexts();
  const queries = useQueryClient();
  const { date, day } = useFormats(tenant);
  const isOwn = useRights(tenant).user?.id === user.id;
  const isSuspended = user.status === 'suspended';
  const params = { path: { user_id: user.id } };
  const changing = useMutation({
    mutationFn: (status: Schemas['UserStatus']) =>
      told(api.PATCH('/api/v1/users/{user_id}', { params, body: { status } })),
    onSuccess: async () => {
      done(t.common.saved);
      await queries.invalidateQueries({ queryKey: userPages.queryKey });
    },
    onError: failed,
  });
  const issue = () => told(api.POST('/api/v1/users/{user_id}/reset-token', { params }));
  const suspend = () =>
    ask({
      title: t.settings.team.suspendTitle(user.name),
      text: t.settings.platform.suspendUserText,
      confirm: t.settings.suspend,
      danger: true,
      act: () => changing.mutate('suspended'),
    });
  return (
    <Paper withBorder px="md" py="xs">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Box miw={0}>
          <Group gap="xs">
            <Text fw={500}>{user.name}</Text>
            {isOwn && (
              <Badge size="sm" variant="light">
                {t.settings.team.you}
              </Badge>
            )}
            {user.super_admin && (
              <Badge size="sm" variant="light" color="gray">
                {t.settings.runsPlatform}
              </Badge>
            )}
            {isSuspended && (
              <Badge size="sm" variant="light" color="ochre">
                {t.settings.statuses.suspended}
              </Badge>
            )}
            {user.must_change_password && (
              <Badge size="sm" variant="light" color="ochre">
                {t.settings.platform.mustChange}
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {user.email} · {t.settings.team.since(day(user.created_at))}
          </Text>
        </Box>
        {!isOwn && (
          <RowMenu label={t.settings.actionsOf(user.name)}>
            <Menu.Item onClick={() => offerLink(user, issue, date)}>{t.settings.team.resetConfirm}</Menu.Item>
            <Menu.Item
              color={isSuspended ? undefined : 'red'}
              onClick={isSuspended ? () => changing.mutate('active') : suspend}
            >
              {isSuspended ? t.settings.restore : t.settings.suspend}
            </Menu.Item>
          </RowMenu>
        )}
      </Group>
    </Paper>
  );
}
