import { Button, Group, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useTexts } from '../../../i18n';
import { done, failed } from '../../../parts/notify';
import { BELOW } from '../../settings/parts/below';
import { problemsOf, showProblems, useAgentSaving } from '../forms';
import type { SavedAgent } from '../queries';
import { FormSection } from '../section';

type Props = { tenant: string; agent: SavedAgent };

/** Whether an agent answers and where it is found, which no version holds. */
export function AgentPlace({ tenant, agent }: Props) {
  const t = useTexts();
  const navigate = useNavigate({ from: '/t/$tenant/agents/$agent' });
  const form = useForm({ initialValues: { slug: agent.slug } });
  const switching = useAgentSaving(tenant, agent, () => done(t.common.saved));
  const moving = useAgentSaving(tenant, agent, async (changed) => {
    form.setInitialValues({ slug: changed.slug });
    form.reset();
    done(t.common.saved);
    const params = { tenant, agent: changed.slug };
    await navigate({ params, search: { tab: 'settings' }, ignoreBlocker: true, replace: true });
  });
  const move = form.onSubmit(({ slug }) =>
    moving.mutate(
      { slug },
      {
        onError: (error) => {
          const problems = problemsOf(error, t);
          if (Object.keys(problems).length > 0) showProblems(form, problems);
          else failed(error);
        },
      },
    ),
  );
  const answers = switching.isPending ? (switching.variables.enabled ?? agent.enabled) : agent.enabled;
  return (
    <FormSection title={t.versions.place} text={t.versions.placeText}>
      <Switch
        label={t.agents.enabled}
        description={t.agents.enabledHelp}
        checked={answers}
        disabled={switching.isPending}
        onChange={(event) => switching.mutate({ enabled: event.currentTarget.checked }, { onError: failed })}
      />
      <form onSubmit={move}>
        <Group align="flex-start" gap="sm">
          <TextInput
            label={t.agents.slug}
            description={t.agents.slugHelp}
            {...BELOW}
            required
            maxLength={50}
            flex="1 1 260px"
            {...form.getInputProps('slug')}
          />
          <Button
            type="submit"
            variant="default"
            mt={25}
            loading={moving.isPending}
            disabled={!form.isDirty()}
          >
            {t.versions.changeSlug}
          </Button>
        </Group>
      </form>
    </FormSection>
  );
}
