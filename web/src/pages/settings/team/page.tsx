import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { EmptyState } from '../../../parts/page';
import { PagedList } from '../parts/paged-list';
import { RestrictedPage } from '../parts/refusal';
import { matcher, SearchBox } from '../parts/search-box';
import { membersOf } from '../queries';
import { useRights } from '../rights';
import { InviteDialog } from './invite';
import { MemberRow } from './member';
import { RoleGuide } from './roles';

export function TeamPage() {
  const t = useTexts();
  const { tenant } = useParams({ from: '/inside/t/$tenant' });
  const { may } = useRights(tenant);
  const [inviting, { open, close }] = useDisclosure();
  const invite = may('members:write') && <Button onClick={open}>{t.settings.team.invite}</Button>;
  return (
    <RestrictedPage
      tenant={tenant}
      needs="members:read"
      title={t.settings.sections.team}
      intro={t.settings.team.intro}
      actions={invite}
    >
      <RoleGuide />
      <MemberList tenant={tenant} invite={open} />
      <InviteDialog tenant={tenant} opened={inviting} close={close} />
    </RestrictedPage>
  );
}

function MemberList({ tenant, invite }: { tenant: string; invite: () => void }) {
  const t = useTexts();
  const navigate = useNavigate({ from: '/t/$tenant/settings/team' });
  const { q } = useSearch({ from: '/inside/t/$tenant/settings/team' });
  const { may } = useRights(tenant);
  const list = useInfiniteQuery(membersOf(tenant));
  const textOf = (member: Schemas['Member']) =>
    `${member.name} ${member.email} ${t.settings.roles[member.role]} ${t.settings.statuses[member.status]}`;
  const isEmpty = list.data?.pages[0]?.data.length === 0;
  return (
    <>
      {!isEmpty && (
        <SearchBox value={q} change={(words) => navigate({ search: { q: words }, replace: true })} />
      )}
      <PagedList
        label={t.settings.sections.team}
        list={list}
        keyOf={(member) => member.user_id}
        matches={matcher(q, textOf)}
        render={(member) => <MemberRow tenant={tenant} member={member} />}
        empty={
          <EmptyState
            title={t.settings.team.emptyTitle}
            text={t.settings.team.emptyText}
            action={may('members:write') && <Button onClick={invite}>{t.settings.team.invite}</Button>}
          />
        }
      />
    </>
  );
}
