import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useTexts } from '../../../i18n';
import { done } from '../../../parts/notify';
import { useRights } from '../../settings/rights';
import { problemsOf, showProblems, useAgentSaving, useGuard } from '../forms';
import type { SavedAgent } from '../queries';
import { Editable, SaveFailure } from '../section';
import { AgentActions } from './actions';
import { ComparisonSection } from './comparison';
import { IdentitySection, KnowingSection, SpeakingSection } from './sections';
import { bodyOf, type SettingsValues, valuesOf } from './values';

export type SettingsForm = ReturnType<typeof useForm<SettingsValues>>;

/** Who an agent is, how it speaks, and what it answers from. */
export function AgentSettings({ tenant, agent }: { tenant: string; agent: SavedAgent }) {
  const t = useTexts();
  const { may } = useRights(tenant);
  const navigate = useNavigate({ from: '/t/$tenant/agents/$agent' });
  const form = useForm<SettingsValues>({ initialValues: valuesOf(agent) });
  const letGo = useGuard(() => form.isDirty());
  const saving = useAgentSaving(tenant, agent, async (changed) => {
    form.setInitialValues(valuesOf(changed));
    form.reset();
    done(t.common.saved);
    if (changed.slug === agent.slug) return;
    const params = { tenant, agent: changed.slug };
    await navigate({ params, search: { tab: 'settings' }, ignoreBlocker: true, replace: true });
  });
  const save = form.onSubmit((values) =>
    saving.mutate(bodyOf(values), { onError: (error) => showProblems(form, problemsOf(error, t)) }),
  );
  const changes = may('agents:write');
  return (
    <Stack maw={680}>
      <Editable allowed={changes}>
        <form onSubmit={save}>
          <Stack>
            <IdentitySection form={form} />
            <SpeakingSection form={form} />
            <KnowingSection form={form} />
            <ComparisonSection form={form} />
            {saving.isError && <SaveFailure error={saving.error} />}
            {changes && (
              <Button
                type="submit"
                loading={saving.isPending}
                disabled={!form.isDirty()}
                style={{ alignSelf: 'flex-start' }}
              >
                {t.common.save}
              </Button>
            )}
          </Stack>
        </form>
      </Editable>
      {changes && <AgentActions tenant={tenant} agent={agent} letGo={letGo} />}
    </Stack>
  );
}
