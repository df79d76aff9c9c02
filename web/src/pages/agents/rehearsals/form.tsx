import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { done } from '../../../parts/notify';
import { problemsOf, showProblems, useGuard } from '../forms';
import type { Agent } from '../queries';
import { SaveFailure } from '../section';
import { type Script, useScriptSaving } from './queries';
import { StepFields } from './step';

/** The server takes no more. */
export const MOST_STEPS = 20;

export type ScriptValues = ReturnType<typeof valuesOf>;
export type ScriptFormApi = ReturnType<typeof useForm<ScriptValues>>;

const emptyStep = () => ({
  key: crypto.randomUUID() as string,
  message: '',
  must_contain: [] as string[],
  must_not_contain: [] as string[],
  must_call: [] as string[],
  must_not_write: false,
  must_cite: false,
  must_hand_over: false,
  must_not_know: false,
});

function valuesOf(old: Script | undefined) {
  const steps = old?.steps.map(({ message, expect }) => ({ ...emptyStep(), ...expect, message }));
  return { name: old?.name ?? '', steps: steps ?? [emptyStep()] };
}

function bodyOf({ name, steps }: ScriptValues): Schemas['SaveScript'] {
  return { name, steps: steps.map(({ key: _, message, ...expect }) => ({ message, expect })) };
}

/** Problems of a step are named as the server has them, and shown where the form has them. */
const flattened = (problems: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(problems).map(([field, problem]) => [
      field
        .replace(/\[(\d+)\]/g, '.$1')
        .replace('.expect.', '.')
        .replace(/(must_\w+)\.\d+$/, '$1'),
      problem,
    ]),
  );

export function ScriptForm({
  tenant,
  agent,
  old,
  close,
}: {
  tenant: string;
  agent: Agent;
  old: Script | undefined;
  close: () => void;
}) {
  const t = useTexts();
  const words = t.rehearsals;
  const form = useForm<ScriptValues>({ initialValues: valuesOf(old) });
  const letGo = useGuard(() => form.isDirty());
  const saving = useScriptSaving(tenant, agent.id, old?.id);
  const save = form.onSubmit((values) =>
    saving.mutate(bodyOf(values), {
      onSuccess: () => {
        letGo();
        done(words.scriptSaved);
        close();
      },
      onError: (error) => showProblems(form, flattened(problemsOf(error, t))),
    }),
  );
  return (
    <form onSubmit={save}>
      <Stack>
        <TextInput
          label={words.scriptName}
          required
          maxLength={120}
          data-autofocus
          {...form.getInputProps('name')}
        />
        {form.values.steps.map((step, index) => (
          <StepFields key={step.key} tenant={tenant} agent={agent} form={form} index={index} />
        ))}
        {form.values.steps.length < MOST_STEPS && (
          <Button
            variant="light"
            style={{ alignSelf: 'flex-start' }}
            onClick={() => form.insertListItem('steps', emptyStep())}
          >
            {words.addStep}
          </Button>
        )}
        {saving.isError && <SaveFailure error={saving.error} />}
        <Group gap="xs">
          <Button type="submit" loading={saving.isPending} disabled={old !== undefined && !form.isDirty()}>
            {t.common.save}
          </Button>
          <Button variant="default" onClick={close}>
            {t.common.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
