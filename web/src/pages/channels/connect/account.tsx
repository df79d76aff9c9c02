import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { UseMutationResult } from '@tanstack/react-query';
import { useTexts } from '../../../i18n';
import type { Connectable } from '../../../routes/channels';
import { Trouble } from '../../settings/parts/refusal';
import { AgentSelect } from '../parts/agent';

export type AccountValues = {
  name: string;
  account_id: string;
  parent_id: string;
  token: string;
  app_secret: string;
  agent: string;
};

/** The account and its keys, which nobody reads here again. */
export function AccountForm({
  tenant,
  channel,
  form,
  connecting,
  back,
}: {
  tenant: string;
  channel: Connectable;
  form: UseFormReturnType<AccountValues>;
  connecting: UseMutationResult<unknown, Error, AccountValues>;
  back: () => void;
}) {
  const t = useTexts();
  const words = t.channels.fields;
  const submit = form.onSubmit(
    (values) => connecting.mutate(values),
    (problems) => form.getInputNode(Object.keys(problems)[0] ?? '')?.focus(),
  );
  return (
    <form onSubmit={submit} noValidate autoComplete="off">
      <Stack>
        {connecting.isError && Object.keys(form.errors).length === 0 && <Trouble error={connecting.error} />}
        <TextInput
          label={words.name}
          description={words.nameHelp}
          required
          maxLength={100}
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <TextInput
          label={words.accounts[channel]}
          description={words.accountHelps[channel]}
          required
          maxLength={200}
          spellCheck={false}
          key={form.key('account_id')}
          {...form.getInputProps('account_id')}
        />
        {channel === 'whatsapp' && (
          <TextInput
            label={words.parent}
            description={words.parentHelp}
            required
            maxLength={200}
            spellCheck={false}
            key={form.key('parent_id')}
            {...form.getInputProps('parent_id')}
          />
        )}
        <PasswordInput
          label={words.tokens[channel]}
          description={words.keyHelp}
          required
          maxLength={10_000}
          autoComplete="off"
          key={form.key('token')}
          {...form.getInputProps('token')}
        />
        <PasswordInput
          label={words.secrets[channel]}
          description={words.keyHelp}
          required
          maxLength={10_000}
          autoComplete="off"
          key={form.key('app_secret')}
          {...form.getInputProps('app_secret')}
        />
        <AgentSelect
          tenant={tenant}
          description={words.agentHelp}
          key={form.key('agent')}
          {...form.getInputProps('agent')}
        />
        <Group gap="xs">
          <Button type="submit" loading={connecting.isPending}>
            {words.submit}
          </Button>
          <Button variant="default" onClick={back} disabled={connecting.isPending}>
            {t.channels.steps.previous}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
