import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { EmptyState } from '../../../parts/page';
import { ListSkeleton } from '../../../parts/skeletons';
import { LongList } from '../parts/long-list';
import { RestrictedPage, Trouble } from '../parts/refusal';
import { matcher, SearchBox } from '../parts/search-box';
import { secretsOf } from '../queries';
import { useRights } from '../rights';
import { SecretDialog } from './form';
import { SecretRow } from './secret';

/** What the dialog is about: a secret that is there, a new one, or nothing. */
export type Edited = Schemas['SecretInfo'] | 'new' | undefined;

export function SecretsPage() {
  const t = useTexts();
  const { tenant } = useParams({ from: '/inside/t/$tenant' });
  const { may } = useRights(tenant);
  const [edited, edit] = useState<Edited>();
  const add = may('secrets:write') && <Button onClick={() => edit('new')}>{t.settings.secrets.add}</Button>;
  return (
    <RestrictedPage
      tenant={tenant}
      needs="secrets:read"
      title={t.settings.sections.secrets}
      intro={t.settings.secrets.intro}
      actions={add}
    >
      <SecretList tenant={tenant} edit={edit} add={add} />
      <SecretDialog tenant={tenant} edited={edited} close={() => edit(undefined)} />
    </RestrictedPage>
  );
}

function SecretList({
  tenant,
  edit,
  add,
}: {
  tenant: string;
  edit: (secret: Edited) => void;
  add: React.ReactNode;
}) {
  const t = useTexts();
  const navigate = useNavigate({ from: '/t/$tenant/settings/secrets' });
  const { q } = useSearch({ from: '/inside/t/$tenant/settings/secrets' });
  const list = useQuery(secretsOf(tenant));
  if (list.isPending) return <ListSkeleton rows={3} />;
  if (list.isLoadingError) return <Trouble error={list.error} again={list.refetch} />;
  if (list.data.length === 0)
    return (
      <EmptyState title={t.settings.secrets.emptyTitle} text={t.settings.secrets.emptyText} action={add} />
    );
  const wanted = matcher<Schemas['SecretInfo']>(q, (secret) => `${secret.name} ${secret.origins.join(' ')}`);
  const found = wanted ? list.data.filter(wanted) : list.data;
  return (
    <>
      <SearchBox value={q} change={(words) => navigate({ search: { q: words }, replace: true })} />
      {found.length === 0 && (
        <EmptyState title={t.settings.nothingFound} text={t.settings.nothingFoundText} />
      )}
      <LongList
        label={t.settings.sections.secrets}
        items={found}
        keyOf={(secret) => secret.name}
        render={(secret) => <SecretRow tenant={tenant} secret={secret} edit={() => edit(secret)} />}
      />
    </>
  );
}
