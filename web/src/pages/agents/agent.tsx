import { Badge, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { Page } from '../../parts/page';
import { PageSkeleton } from '../../parts/skeletons';
import { DocumentList } from '../knowledge/documents';
import { Playground } from './playground';
import { agentOf } from './queries';
import { AgentSettingsForm } from './settings';

const ROUTE = '/inside/t/$tenant/agents/$agent';

export function AgentPage() {
  const t = useTexts();
  const { tenant, agent: slug } = useParams({ from: ROUTE });
  const { tab } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: '/t/$tenant/agents/$agent' });
  const agent = useQuery(agentOf(tenant, slug));
  if (agent.isPending) return <PageSkeleton />;
  if (agent.isError) return <FailureNotice error={agent.error} again={agent.refetch} />;
  const status = agent.data.enabled ? t.agents.enabled : t.agents.disabled;
  return (
    <Page
      title={agent.data.name}
      intro={agent.data.company_name}
      actions={
        <Badge variant="light" color={agent.data.enabled ? 'teal' : 'ochre'}>
          {status}
        </Badge>
      }
    >
      <Tabs
        value={tab ?? 'talk'}
        onChange={(value) => navigate({ search: value ? { tab: value } : {} })}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="talk">{t.agents.tabTalk}</Tabs.Tab>
          <Tabs.Tab value="knowledge">{t.agents.tabKnowledge}</Tabs.Tab>
          <Tabs.Tab value="settings">{t.agents.tabSettings}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="talk" pt="md">
          <Playground tenant={tenant} agent={agent.data} />
        </Tabs.Panel>
        <Tabs.Panel value="knowledge" pt="md">
          <DocumentList tenant={tenant} kb={agent.data.knowledge_base_id} />
        </Tabs.Panel>
        <Tabs.Panel value="settings" pt="md">
          <AgentSettingsForm tenant={tenant} agent={agent.data} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
