import { Badge, ScrollArea, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useLanguage, useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { Page } from '../../parts/page';
import { PageSkeleton } from '../../parts/skeletons';
import { useRights } from '../settings/rights';
import { DraftBanner } from './drafts/banner';
import { Edited } from './drafts/editing';
import { InstructionsTab } from './instructions';
import { AgentKnowledge } from './knowledge';
import { ModelForm } from './model';
import { Playground } from './playground';
import { PromptTab } from './prompt';
import { agentOf } from './queries';
import { RehearsalsTab } from './rehearsals';
import { AgentSettings } from './settings';
import { ToolsTab } from './tools';
import { VersionsTab } from './versions';
import { AgentWarnings } from './warnings';

const ROUTE = '/inside/t/$tenant/agents/$agent';
const TABS = [
  'talk',
  'knowledge',
  'settings',
  'model',
  'prompt',
  'instructions',
  'tools',
  'rehearsals',
  'versions',
] as const;

export function AgentPage() {
  const t = useTexts();
  const { tenant, agent: slug } = useParams({ from: ROUTE });
  const { tab, q, status, file, sort } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: '/t/$tenant/agents/$agent' });
  const found = useQuery(agentOf(tenant, slug));
  const { may } = useRights(tenant);
  const open = TABS.filter((one) => one !== 'versions' || may('agents:write'));
  const language = useLanguage();
  const spoken = useRef(language);
  const { refetch } = found;
  // Warnings come in the language in which they were asked for.
  useEffect(() => {
    if (spoken.current === language) return;
    spoken.current = language;
    void refetch();
  }, [language, refetch]);
  const shown = open.find((one) => one === tab) ?? 'talk';
  const tabs = useRef<HTMLDivElement>(null);
  const isHere = found.data !== undefined;
  // On a phone the tabs are wider than the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the one that is shown is found by its state
  useEffect(() => {
    const chosen = tabs.current?.querySelector('[aria-selected="true"]');
    chosen?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [shown, isHere]);
  const agent = found.data;
  // What could not be read again is shown as it was: somebody may be writing in it.
  if (!agent && found.isError) return <FailureNotice error={found.error} again={found.refetch} />;
  if (!agent) return <PageSkeleton />;
  const names = {
    talk: t.agents.tabTalk,
    knowledge: t.agents.tabKnowledge,
    settings: t.agents.tabSettings,
    model: t.agents.tabModel,
    prompt: t.agents.tabPrompt,
    instructions: t.agents.tabInstructions,
    tools: t.agents.tabTools,
    rehearsals: t.rehearsals.tab,
    versions: t.versions.tab,
  };
  const panel = { tenant, agent };
  // A preview begins anew when a draft comes or goes; forms follow it, and keep what is typed.
  const state = `${agent.id} ${agent.draft ? 'draft' : 'live'}`;
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
      <DraftBanner {...panel} />
      <Tabs
        value={shown}
        onChange={(value) => navigate({ search: value ? { tab: value } : {} })}
        keepMounted={false}
      >
        <ScrollArea type="never" viewportRef={tabs}>
          <Tabs.List aria-label={t.agents.tabs} style={{ flexWrap: 'nowrap', minWidth: 'max-content' }}>
            {open.map((name) => (
              <Tabs.Tab key={name} value={name}>
                {names[name]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </ScrollArea>
        <Tabs.Panel value={shown} pt="md">
          {shown === 'talk' && <Playground {...panel} />}
          {shown === 'knowledge' && <AgentKnowledge {...panel} search={{ q, status, file, sort }} />}
          {shown === 'settings' && (
            <Edited {...panel} key={agent.id}>
              {(edited, revision) => <AgentSettings tenant={tenant} agent={edited} revision={revision} />}
            </Edited>
          )}
          {shown === 'model' && (
            <Edited {...panel} key={agent.id}>
              {(edited, revision) => <ModelForm tenant={tenant} agent={edited} revision={revision} />}
            </Edited>
          )}
          {shown === 'prompt' && <PromptTab {...panel} key={state} />}
          {shown === 'instructions' && <InstructionsTab tenant={tenant} />}
          {shown === 'tools' && (
            <Edited {...panel} key={agent.id}>
              {(edited, revision) => <ToolsTab tenant={tenant} agent={edited} revision={revision} />}
            </Edited>
          )}
          {shown === 'rehearsals' && <RehearsalsTab {...panel} />}
          {shown === 'versions' && <VersionsTab key={agent.id} {...panel} />}
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
