import { Button, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { useGuard } from '../../../parts/guard';
import { useFormats } from '../formats';
import { useOnce } from '../once';
import { BELOW } from '../parts/below';
import { Dialog } from '../parts/dialog';
import { OneTimeValue } from '../parts/one-time';
import { Trouble } from '../parts/refusal';
import { fieldProblems, isShownInPlace } from '../problems';
import { ROLES, type Role } from '../rights';
import { passwordLink } from './link';

/** Adds a person; a new account is handed over with a link that works once. */
export function InviteDialog({
  tenant,
  opened,
  close,
}: {
  tenant: string;
  opened: boolean;
  close: () => void;
}) {
  const t = useTexts();
  return (
    // Nothing but its cross and its button close it: a link that is shown once would be lost.
    <Dialog
      opened={opened}
      onClose={close}
      title={t.settings.team.invite}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <InviteForm tenant={tenant} close={close} />
    </Dialog>
  );
}

function InviteForm({ tenant, close }: { tenant: string; close: () => void }) {
  const t = useTexts();
  const queries = useQueryClient();
  const key = useOnce();
  const form = useForm<{ name: string; email: string; role: Role }>({
    initialValues: { name: '', email: '', role: 'member' },
  });
  const inviting = useMutation({
    mutationFn: (body: typeof form.values) =>
      told(api.POST('/api/v1/members', { body, params: { header: key.header(body) } })),
    onSuccess: () => {
      key.forget();
      return Promise.all([
        queries.invalidateQueries({ queryKey: [tenant, 'members'] }),
        queries.invalidateQueries({ queryKey: [tenant, 'usage'] }),
      ]);
    },
    onError: (error) => form.setErrors(fieldProblems(error, t)),
  });
  useGuard(form.isDirty() && !inviting.data);
  if (inviting.data) return <InvitedNote tenant={tenant} invited={inviting.data} close={close} />;
  return (
    <form onSubmit={form.onSubmit((values) => inviting.mutate(values))}>
      <Stack>
        {inviting.isError && !isShownInPlace(inviting.error, ['name', 'email']) && (
          <Trouble error={inviting.error} />
        )}
        <TextInput
          label={t.common.name}
          required
          maxLength={100}
          data-autofocus
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t.settings.team.email}
          type="email"
          required
          maxLength={254}
          autoComplete="off"
          {...form.getInputProps('email')}
        />
        <Select
          label={t.settings.team.role}
          description={t.settings.team.roleTexts[form.values.role]}
          {...BELOW}
          data={ROLES.map((value) => ({ value, label: t.settings.roles[value] }))}
          allowDeselect={false}
          {...form.getInputProps('role')}
        />
        <Button type="submit" loading={inviting.isPending}>
          {t.settings.team.invite}
        </Button>
      </Stack>
    </form>
  );
}

function InvitedNote({
  tenant,
  invited,
  close,
}: {
  tenant: string;
  invited: Schemas['InvitedMember'];
  close: () => void;
}) {
  const t = useTexts();
  const { date } = useFormats(tenant);
  return (
    <Stack>
      {invited.invitation ? (
        <OneTimeValue
          title={t.settings.team.linkTitle(invited.name)}
          text={t.settings.team.linkText(date(invited.invitation.expires_at))}
          value={passwordLink(invited.invitation.reset_token)}
        />
      ) : (
        <Text size="sm" role="status">
          {t.settings.team.hadAccount(invited.name)}
        </Text>
      )}
      <Button variant="default" onClick={close}>
        {t.common.close}
      </Button>
    </Stack>
  );
}
