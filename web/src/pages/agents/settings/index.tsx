import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTexts } from '../../../i18n';
import { useRights } from '../../settings/rights';
import { useTwoWays } from '../drafts/saving';
import { showProblems, useGuard } from '../forms';
import type { SavedAgent } from '../queries';
import { Editable } from '../section';
import { AgentActions } from './actions';
import { ComparisonSection } from './comparison';
import { AgentPlace } from './place';
import { IdentitySection, KnowingSection, SpeakingSection } from './sections';
import { bodyOf, type SettingsValues, valuesOf } from './values';

export type SettingsForm = ReturnType<typeof useForm<SettingsValues>>;

type Props = {
  tenant: string;
  /** With its draft, where there is one. */
  agent: SavedAgent;
  revision: string | null;
};

/** Who an agent is, how it speaks, and what it answers from. */
export function AgentSettings({ tenant, agent, revision }: Props) {
  const t = useTexts();
  const { may } = useRights(tenant);
  const form = useForm<SettingsValues>({ initialValues: valuesOf(agent) });
  const letGo = useGuard(() => form.isDirty());
  const show = (problems: Record<string, string>) => showProblems(form, problems);
  const saved = t.versions.published;
  const { publish, buttons } = useTwoWays({ tenant, agent, revision, form, valuesOf, bodyOf, show, saved });
  const changes = may('agents:write');
  return (
    <Stack maw={680}>
      <Editable allowed={changes}>
        <form onSubmit={publish}>
          <Stack>
            <IdentitySection form={form} />
            <SpeakingSection form={form} />
            <KnowingSection form={form} />
            <ComparisonSection form={form} />
            {changes && buttons}
          </Stack>
        </form>
      </Editable>
      {changes && <AgentPlace key={agent.slug} tenant={tenant} agent={agent} />}
      {changes && <AgentActions tenant={tenant} agent={agent} letGo={letGo} />}
    </Stack>
  );
}
