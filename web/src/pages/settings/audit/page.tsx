import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { EmptyState } from '../../../parts/page';
import { PagedList } from '../parts/paged-list';
import { RestrictedPage } from '../parts/refusal';
import { matcher, SearchBox } from '../parts/search-box';
import { auditOf, tenantOf } from '../queries';
import { AuditRow } from './entry';
import { AuditFilters, filterOf } from './filters';
import { useNames } from './names';

export function AuditPage() {
  const t = useTexts();
  const { tenant } = useParams({ from: '/inside/t/$tenant' });
  return (
    <RestrictedPage
      tenant={tenant}
      needs="audit:read"
      title={t.settings.sections.audit}
      intro={t.settings.audit.intro}
    >
      <AuditLog tenant={tenant} />
    </RestrictedPage>
  );
}

function AuditLog({ tenant }: { tenant: string }) {
  const t = useTexts();
  const navigate = useNavigate({ from: '/t/$tenant/settings/audit' });
  const search = useSearch({ from: '/inside/t/$tenant/settings/audit' });
  const { q } = search;
  const zone = useQuery(tenantOf(tenant)).data?.time_zone;
  const list = useInfiniteQuery({ ...auditOf(tenant, filterOf(search, zone)), enabled: zone !== undefined });
  const names = useNames(tenant);
  const actions: Record<string, string> = t.settings.audit.actions;
  const textOf = (entry: Schemas['AuditEntry']) =>
    [
      names.actor(entry.actor),
      actions[entry.action] ?? '',
      entry.action,
      names.target(entry.target),
      entry.target,
      JSON.stringify(entry.details),
    ].join(' ');
  return (
    <>
      <SearchBox
        value={q}
        change={(words) => navigate({ search: (old) => ({ ...old, q: words }), replace: true })}
      />
      <AuditFilters tenant={tenant} search={search} names={names} />
      <PagedList
        label={t.settings.sections.audit}
        list={list}
        keyOf={(entry) => entry.id}
        matches={matcher(q, textOf)}
        render={(entry) => <AuditRow tenant={tenant} entry={entry} names={names} />}
        empty={
          <EmptyState
            title={t.settings.audit.emptyTitle}
            text={t.settings.audit.emptyText}
            action={<Button onClick={() => list.refetch()}>{t.settings.refresh}</Button>}
          />
        }
      />
    </>
  );
}
