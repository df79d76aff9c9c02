import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { EmptyState } from '../../../parts/page';
import { PagedList } from '../parts/paged-list';
import { RestrictedPage } from '../parts/refusal';
import { matcher, SearchBox } from '../parts/search-box';
import { tenantPages } from '../queries';
import { CreditsDialog } from './credits';
import { DeleteDialog } from './delete';
import { TenantRow } from './tenant';
import { TenantDialog } from './tenant-form';

type Tenant = Schemas['Tenant'];
/** The dialog that is open, and which tenant it is about. */
export type Opened =
  | { dialog: 'new' }
  | { dialog: 'edit' | 'credits' | 'delete'; tenant: Tenant }
  | undefined;

export function TenantsPage() {
  const t = useTexts();
  const { tenant } = useParams({ from: '/inside/t/$tenant' });
  const [opened, open] = useState<Opened>();
  const create = <Button onClick={() => open({ dialog: 'new' })}>{t.choose.create}</Button>;
  return (
    <RestrictedPage
      tenant={tenant}
      needs="platform"
      title={t.settings.sections.tenants}
      intro={t.settings.platform.tenantsIntro}
      actions={create}
    >
      <TenantList current={tenant} open={open} create={create} />
      <TenantDialog opened={opened} close={() => open(undefined)} />
      <CreditsDialog opened={opened} close={() => open(undefined)} />
      <DeleteDialog opened={opened} close={() => open(undefined)} />
    </RestrictedPage>
  );
}

function TenantList({
  current,
  open,
  create,
}: {
  current: string;
  open: (opened: Opened) => void;
  create: React.ReactNode;
}) {
  const t = useTexts();
  const navigate = useNavigate({ from: '/t/$tenant/settings/platform/tenants' });
  const { q } = useSearch({ from: '/inside/t/$tenant/settings/platform/tenants' });
  const list = useInfiniteQuery(tenantPages);
  const textOf = (tenant: Tenant) =>
    `${tenant.name} ${tenant.slug} ${tenant.plan} ${t.settings.statuses[tenant.status]}`;
  return (
    <>
      <SearchBox value={q} change={(words) => navigate({ search: { q: words }, replace: true })} />
      <PagedList
        label={t.settings.sections.tenants}
        list={list}
        keyOf={(tenant) => tenant.id}
        matches={matcher(q, textOf)}
        render={(tenant) => <TenantRow current={current} tenant={tenant} open={open} />}
        empty={
          <EmptyState
            title={t.settings.platform.noTenants}
            text={t.settings.platform.noTenantsText}
            action={create}
          />
        }
      />
    </>
  );
}
