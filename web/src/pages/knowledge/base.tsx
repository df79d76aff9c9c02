import { Alert, Badge, ScrollArea, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { TextLink } from '../../parts/links';
import { Page } from '../../parts/page';
import { PageSkeleton } from '../../parts/skeletons';
import { AssignedAgents } from './assigned';
import { DocumentList } from './documents';
import { baseOf } from './queries';
import { useBaseRights } from './rights';
import { BaseSettings } from './settings';
import { TrialSearch } from './trial';
import { WebsiteList } from './websites';

const ROUTE = '/inside/t/$tenant/knowledge/$kb';
const TABS = ['documents', 'websites', 'try', 'agents', 'settings'] as const;

export function KnowledgeBasePage() {
  const t = useTexts();
  const { tenant, kb } = useParams({ from: ROUTE });
  const { tab, ...search } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: '/t/$tenant/knowledge/$kb' });
  const found = useQuery(baseOf(tenant, kb));
  const { manages } = useBaseRights(tenant, found.data);
  if (found.isPending) return <PageSkeleton />;
  // What was deleted just now is shown until its receipt was read.
  if (!found.data) return <FailureNotice error={found.error} again={found.refetch} />;
  const base = found.data;
  const names = {
    documents: t.knowledge.tabDocuments,
    websites: t.websites.tab,
    try: t.knowledge.tabTry,
    agents: t.knowledge.tabAgents,
    settings: t.knowledge.tabSettings,
  };
  const open = TABS.filter(
    (name) => (name !== 'websites' || base.scope !== 'business') && (name !== 'settings' || manages),
  );
  const shown = open.find((name) => name === tab) ?? 'documents';
  return (
    <Page
      title={base.name}
      intro={base.description ?? undefined}
      actions={
        <>
          {base.status === 'archived' && (
            <Badge variant="light" color="ochre">
              {t.baseSettings.archived}
            </Badge>
          )}
          <Badge variant="light" color="gray">
            {t.knowledge.scopes[base.scope]}
          </Badge>
        </>
      }
    >
      <TextLink to="/t/$tenant/knowledge" params={{ tenant }} size="sm" style={{ alignSelf: 'flex-start' }}>
        ← {t.knowledge.title}
      </TextLink>
      {base.status === 'archived' && <Alert color="ochre">{t.baseSettings.archivedText}</Alert>}
      <Tabs
        value={shown}
        onChange={(value) => navigate({ search: value ? { tab: value } : {} })}
        keepMounted={false}
      >
        <ScrollArea type="never">
          <Tabs.List style={{ flexWrap: 'nowrap', minWidth: 'max-content' }}>
            {open.map((name) => (
              <Tabs.Tab key={name} value={name}>
                {names[name]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </ScrollArea>
        <Tabs.Panel value={shown} pt="md">
          {shown === 'documents' && <DocumentList tenant={tenant} kb={kb} search={search} />}
          {shown === 'websites' && <WebsiteList tenant={tenant} kb={kb} />}
          {shown === 'try' && <TrialSearch tenant={tenant} kb={kb} />}
          {shown === 'agents' && <AssignedAgents tenant={tenant} base={base} />}
          {shown === 'settings' && <BaseSettings key={base.id} tenant={tenant} base={base} />}
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
