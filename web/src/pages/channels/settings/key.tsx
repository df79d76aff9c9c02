import { Button, Group, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useTexts } from '../../../i18n';
import { useGuard } from '../../../parts/guard';
import { GuardedDialog } from '../../../parts/guarded-dialog';
import { done } from '../../../parts/notify';
import { CONNECTABLE } from '../../../routes/channels';
import { showProblems } from '../../agents/forms';
import { Trouble } from '../../settings/parts/refusal';
import { fieldProblems } from '../../settings/problems';
import { useChannelSaving } from '../changing';
import type { Connection } from '../queries';

/** The end of the key of a connection, and a place for another one. */
export function ChannelKey({ tenant, connection }: { tenant: string; connection: Connection }) {
  const t = useTexts();
  const words = t.channels.settings;
  const [opened, { open, close }] = useDisclosure();
  return (
    <Paper withBorder p="md" component="section">
      <Stack gap="xs">
        <Title order={2} size="h4">
          {words.key}
        </Title>
        <Group justify="space-between" gap="sm">
          <Text size="sm" flex="1 1 240px" style={{ overflowWrap: 'anywhere' }}>
            {words.keyText(connection.key_hint)}
          </Text>
          <Button variant="default" onClick={open}>
            {words.newKey}
          </Button>
        </Group>
      </Stack>
      <GuardedDialog opened={opened} onClose={close} title={words.newKeyTitle(connection.name)}>
        <KeyForm tenant={tenant} connection={connection} close={close} />
      </GuardedDialog>
    </Paper>
  );
}

function KeyForm({
  tenant,
  connection,
  close,
}: {
  tenant: string;
  connection: Connection;
  close: () => void;
}) {
  const t = useTexts();
  const words = t.channels.settings;
  const { tokens, secrets } = t.channels.fields;
  const channel = CONNECTABLE.find((one) => one === connection.channel) ?? 'whatsapp';
  const form = useForm({
    initialValues: { token: '', app_secret: '' },
    validate: {
      token: (token, { app_secret }) => (token.trim() || app_secret.trim() ? null : words.keyNeeded),
    },
  });
  const letGo = useGuard(form.isDirty());
  const saving = useChannelSaving(tenant, connection, () => {
    letGo();
    done(words.keySaved);
    close();
  });
  const submit = form.onSubmit(({ token, app_secret }) =>
    saving.mutate(
      { token: token.trim() || undefined, app_secret: app_secret.trim() || undefined },
      { onError: (error) => showProblems(form, fieldProblems(error, t)) },
    ),
  );
  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack>
        {saving.isError && Object.keys(form.errors).length === 0 && <Trouble error={saving.error} />}
        <PasswordInput
          label={tokens[channel]}
          description={words.keyKept}
          maxLength={10_000}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('token')}
        />
        <PasswordInput
          label={secrets[channel]}
          description={words.keyKept}
          maxLength={10_000}
          autoComplete="off"
          {...form.getInputProps('app_secret')}
        />
        <Button type="submit" loading={saving.isPending}>
          {t.common.save}
        </Button>
      </Stack>
    </form>
  );
}
