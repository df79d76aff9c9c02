import { Button, Switch } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTexts } from '../../../i18n';
import { EmptyState } from '../../../parts/page';
import { PagedList } from '../parts/paged-list';
import { RestrictedPage } from '../parts/refusal';
import { keysOf } from '../queries';
import { useRights } from '../rights';
import { NewKeyDialog } from './create';
import { KeyRow, stateOf } from './key';

export function KeysPage() {
  const t = useTexts();
  const { tenant } = useParams({ from: '/inside/t/$tenant' });
  const { may } = useRights(tenant);
  const [making, { open, close }] = useDisclosure();
  return (
    <RestrictedPage
      tenant={tenant}
      needs="keys:read"
      title={t.settings.sections.keys}
      intro={t.settings.keys.intro}
      actions={may('keys:write') && <Button onClick={open}>{t.settings.keys.create}</Button>}
    >
      <KeyList tenant={tenant} create={open} />
      <NewKeyDialog tenant={tenant} opened={making} close={close} />
    </RestrictedPage>
  );
}

function KeyList({ tenant, create }: { tenant: string; create: () => void }) {
  const t = useTexts();
  const navigate = useNavigate({ from: '/t/$tenant/settings/keys' });
  const { all } = useSearch({ from: '/inside/t/$tenant/settings/keys' });
  const { may } = useRights(tenant);
  const list = useInfiniteQuery(keysOf(tenant));
  const isEmpty = list.data?.pages[0]?.data.length === 0;
  return (
    <>
      {!isEmpty && (
        <Switch
          label={t.settings.keys.showAll}
          checked={all ?? false}
          onChange={(event) =>
            navigate({ search: event.currentTarget.checked ? { all: true } : {}, replace: true })
          }
        />
      )}
      <PagedList
        label={t.settings.sections.keys}
        list={list}
        keyOf={(key) => key.id}
        matches={all ? undefined : (key) => stateOf(key) === 'active'}
        render={(key) => <KeyRow tenant={tenant} apiKey={key} />}
        empty={
          <EmptyState
            title={t.settings.keys.emptyTitle}
            text={t.settings.keys.emptyText}
            action={may('keys:write') && <Button onClick={create}>{t.settings.keys.create}</Button>}
          />
        }
      />
    </>
  );
}
