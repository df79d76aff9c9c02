import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { Page } from '../../parts/page';
import { PageSkeleton } from '../../parts/skeletons';
import { AssignedAgents } from './assigned';
import { DocumentList } from './documents';
import { baseOf } from './queries';
import { TrialSearch } from './trial';

const ROUTE = '/inside/t/$tenant/knowledge/$kb';

export function KnowledgeBasePage() {
  const t = useTexts();
  const { tenant, kb } = useParams({ from: ROUTE });
  const { tab } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: '/t/$tenant/knowledge/$kb' });
  const base = useQuery(baseOf(tenant, kb));
  if (base.isPending) return <PageSkeleton />;
  if (base.isError) return <FailureNotice error={base.error} again={base.refetch} />;
  return (
    <Page title={base.data.name} intro={base.data.description ?? undefined}>
      <Tabs
        value={tab ?? 'documents'}
        onChange={(value) => navigate({ search: value ? { tab: value } : {} })}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="documents">{t.knowledge.tabDocuments}</Tabs.Tab>
          <Tabs.Tab value="try">{t.knowledge.tabTry}</Tabs.Tab>
          <Tabs.Tab value="agents">{t.knowledge.tabAgents}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="documents" pt="md">
          <DocumentList tenant={tenant} kb={kb} />
        </Tabs.Panel>
        <Tabs.Panel value="try" pt="md">
          <TrialSearch tenant={tenant} kb={kb} />
        </Tabs.Panel>
        <Tabs.Panel value="agents" pt="md">
          <AssignedAgents tenant={tenant} kb={kb} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
