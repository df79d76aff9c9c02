import { Button, Group, NumberInput, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ApiError, type Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { done } from '../../../parts/notify';
import { INSTRUCTION_TYPES } from '../../../routes/agents';
import { BELOW } from '../../settings/parts/below';
import { problemsOf, useGuard } from '../forms';
import type { Instruction } from '../queries';
import { useInstructionSaving } from './changes';

/** What the server says when there is no room in the prompt. */
const NO_ROOM = ['PROMPT_FULL', 'PROMPT_TOKENS_EXCEEDED'];

export function InstructionForm({
  tenant,
  old,
  branches,
  close,
}: {
  tenant: string;
  old: Instruction | undefined;
  branches: { id: string; name: string }[];
  close: () => void;
}) {
  const t = useTexts();
  const words = t.agents.rules;
  const form = useForm({
    initialValues: {
      type: old?.type ?? ('behavior' as Schemas['InstructionType']),
      title: old?.title ?? '',
      content: old?.content ?? '',
      priority: old?.priority ?? 5,
      branch_id: old?.branch_id ?? null,
      active: old?.active ?? true,
      include_in_prompt: old?.include_in_prompt ?? false,
    },
  });
  const letGo = useGuard(() => form.isDirty());
  const saving = useInstructionSaving(tenant, old?.id);
  const save = form.onSubmit((values) => {
    const { active } = values;
    saving.mutate(
      { ...values, include_in_prompt: active && values.include_in_prompt },
      {
        onSuccess: () => {
          letGo();
          done(words.saved);
          close();
        },
        onError: (error) => form.setErrors(errorsOf(error)),
      },
    );
  });
  const errorsOf = (error: unknown) =>
    error instanceof ApiError && NO_ROOM.includes(error.code)
      ? { include_in_prompt: error.message }
      : problemsOf(error, t);
  const isShown = saving.isError && Object.keys(errorsOf(saving.error)).length > 0;
  const { active, type } = form.values;
  return (
    <form onSubmit={save}>
      <Stack>
        {saving.isError && !isShown && <FailureNotice error={saving.error} />}
        <TextInput
          label={words.name}
          required
          maxLength={120}
          data-autofocus
          {...form.getInputProps('title')}
        />
        <Select
          label={words.type}
          description={words.typeHelp[type]}
          {...BELOW}
          data={INSTRUCTION_TYPES.map((value) => ({ value, label: words.types[value] }))}
          allowDeselect={false}
          {...form.getInputProps('type')}
        />
        <Textarea
          label={words.content}
          description={words.contentHelp}
          {...BELOW}
          required
          autosize
          minRows={4}
          maxRows={16}
          maxLength={4000}
          {...form.getInputProps('content')}
        />
        <NumberInput
          label={words.priority}
          description={words.priorityHelp}
          {...BELOW}
          required
          min={1}
          max={10}
          allowDecimal={false}
          {...form.getInputProps('priority')}
        />
        <Select
          label={words.branch}
          description={words.branchHelp}
          {...BELOW}
          placeholder={words.allBranches}
          data={branches.map(({ id, name }) => ({ value: id, label: name }))}
          clearable
          clearButtonProps={{ 'aria-label': words.allBranches }}
          {...form.getInputProps('branch_id')}
        />
        <Switch
          label={words.activeField}
          description={words.activeHelp}
          {...form.getInputProps('active', { type: 'checkbox' })}
        />
        <Switch
          label={words.inPrompt}
          description={active ? words.inPromptHelp : words.onlyActive}
          disabled={!active}
          {...form.getInputProps('include_in_prompt', { type: 'checkbox' })}
        />
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
