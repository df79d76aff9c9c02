import { Autocomplete, Button, PasswordInput, Stack, TagsInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { useGuard } from '../../../parts/guard';
import { done } from '../../../parts/notify';
import { BELOW } from '../parts/below';
import { Dialog } from '../parts/dialog';
import { Trouble } from '../parts/refusal';
import { fieldProblems } from '../problems';
import { hasOrigins, isKnown, KNOWN } from './names';
import type { Edited } from './page';

export function SecretDialog({
  tenant,
  edited,
  close,
}: {
  tenant: string;
  edited: Edited;
  close: () => void;
}) {
  const t = useTexts();
  const old = edited === 'new' ? undefined : edited;
  return (
    <Dialog
      opened={edited !== undefined}
      onClose={close}
      title={old ? t.settings.secrets.replaceOf(old.name) : t.settings.secrets.add}
    >
      <SecretForm tenant={tenant} old={old} close={close} />
    </Dialog>
  );
}

/** Stores a secret, or what it is sent to. Nobody ever reads its value here again. */
function SecretForm({
  tenant,
  old,
  close,
}: {
  tenant: string;
  old: Schemas['SecretInfo'] | undefined;
  close: () => void;
}) {
  const t = useTexts();
  const queries = useQueryClient();
  const form = useForm({
    initialValues: { name: old?.name ?? '', value: '', origins: old?.origins ?? [] },
    validate: {
      name: (name) => (/^[a-z][a-z0-9_]{0,63}$/.test(name) ? null : t.settings.problems.not_a_name),
      value: (value, { name }) => (value || (old && hasOrigins(name)) ? null : t.settings.problems.empty),
    },
  });
  const letGo = useGuard(form.isDirty());
  const isForServers = hasOrigins(form.values.name);
  const saving = useMutation({
    mutationFn: ({ name, value, origins }: typeof form.values) =>
      told(
        api.PUT('/api/v1/secrets/{secret_name}', {
          params: { path: { secret_name: name } },
          body: { ...(value ? { value } : {}), ...(hasOrigins(name) ? { origins } : {}) },
        }),
      ),
    onSuccess: async () => {
      letGo();
      done(t.common.saved);
      await queries.invalidateQueries({ queryKey: [tenant, 'secrets'] });
      close();
    },
    onError: (error) => {
      const problems = Object.entries(fieldProblems(error, t));
      // One of several servers is named by its place among them.
      form.setErrors(Object.fromEntries(problems.map(([name, text]) => [name.split('[')[0], text])));
    },
  });
  const { name } = form.values;
  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))}>
      <Stack>
        {saving.isError && Object.keys(form.errors).length === 0 && <Trouble error={saving.error} />}
        <Autocomplete
          label={t.common.name}
          description={isKnown(name) ? t.settings.secrets.known[name] : t.settings.secrets.nameHelp}
          {...BELOW}
          data={[...KNOWN]}
          required
          maxLength={64}
          disabled={old !== undefined}
          data-autofocus={old ? undefined : true}
          {...form.getInputProps('name')}
        />
        <PasswordInput
          label={t.settings.secrets.value}
          description={old && isForServers ? t.settings.secrets.valueKept : t.settings.secrets.valueHelp}
          {...BELOW}
          required={!(old && isForServers)}
          maxLength={10_000}
          autoComplete="off"
          data-autofocus={old ? true : undefined}
          {...form.getInputProps('value')}
        />
        {isForServers && (
          <TagsInput
            label={t.settings.secrets.origins}
            description={t.settings.secrets.originsHelp}
            {...BELOW}
            placeholder="https://openrouter.ai"
            maxTags={20}
            acceptValueOnBlur
            {...form.getInputProps('origins')}
          />
        )}
        <Button type="submit" loading={saving.isPending}>
          {t.common.save}
        </Button>
      </Stack>
    </form>
  );
}
