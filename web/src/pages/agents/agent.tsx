import { Badge, ScrollArea, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useLanguage, useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { Page } from '../../parts/page';
import { PageSkeleton } from '../../parts/skeletons';
import { DocumentList } from '../knowledge/documents';
import { InstructionsTab } from './instructions';
import { ModelForm } from './model';
import { Playground } from './playground';
import { PromptTab } from './prompt';
import { agentOf } from './queries';
import { AgentSettings } from './settings';
import { ToolsTab } from './tools';
import { AgentWarnings } from './warnings';

const ROUTE = '/inside/t/$tenant/agents/$agent';
const TABS = ['talk', 'knowledge', 'settings', 'model', 'prompt', 'instructions', 'tools'] as const;

export function AgentPage() {
  const t = useTexts();
  const { tenant, agent: slug } = useParams({ from: ROUTE });
  const { tab } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: '/t/$tenant/agents/$agent' });
  const found = useQuery(agentOf(tenant, slug));
  const language = useLanguage();
  const spoken = useRef(language);
  const { refetch } = found;
  // Warnings come in the language in which they were asked for.
  useEffect(() => {
    if (spoken.current === language) return;
    spoken.current = language;
    void refetch();
  }, [language, refetch]);
  const shown = TABS.find((one) => one === tab) ?? 'talk';
  const tabs = useRef<HTMLDivElement>(null);
  const isHere = found.isSuccess;
  // On a phone the tabs are wider than the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the one that is shown is found by its state
  useEffect(() => {
    const chosen = tabs.current?.querySelector('[aria-selected="true"]');
    chosen?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [shown, isHere]);
  if (found.isPending) return <PageSkeleton />;
  if (found.isError) return <FailureNotice error={found.error} again={found.refetch} />;
  const agent = found.data;
  const names = {
    talk: t.agents.tabTalk,
    knowledge: t.agents.tabKnowledge,
    settings: t.agents.tabSettings,
    model: t.agents.tabModel,
    prompt: t.agents.tabPrompt,
    instructions: t.agents.tabInstructions,
    tools: t.agents.tabTools,
  };
  const panel = { tenant, agent };
  return (
    <Page
      title={agent.name}
      intro={agent.company_name}
      actions={
        <>
          {agent.active && <Badge variant="light">{t.agents.active}</Badge>}
          <Badge variant="light" color={agent.enabled ? 'teal' : 'ochre'}>
            {agent.enabled ? t.agents.enabled : t.agents.disabled}
          </Badge>
        </>
      }
    >
      <AgentWarnings {...panel} />
      <Tabs
        value={shown}
        onChange={(value) => navigate({ search: value ? { tab: value } : {} })}
        keepMounted={false}
      >
        <ScrollArea type="never" viewportRef={tabs}>
          <Tabs.List aria-label={t.agents.tabs} style={{ flexWrap: 'nowrap', minWidth: 'max-content' }}>
            {TABS.map((name) => (
              <Tabs.Tab key={name} value={name}>
                {names[name]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </ScrollArea>
        <Tabs.Panel value={shown} pt="md">
          {shown === 'talk' && <Playground {...panel} />}
          {shown === 'knowledge' && <DocumentList tenant={tenant} kb={agent.knowledge_base_id} />}
          {shown === 'settings' && <AgentSettings key={agent.id} {...panel} />}
          {shown === 'model' && <ModelForm key={agent.id} {...panel} />}
          {shown === 'prompt' && <PromptTab {...panel} />}
          {shown === 'instructions' && <InstructionsTab tenant={tenant} />}
          {shown === 'tools' && <ToolsTab {...panel} />}
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
