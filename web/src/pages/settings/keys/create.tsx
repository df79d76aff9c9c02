import { Button, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { useGuard } from '../../../parts/guard';
import { useOnce } from '../once';
import { BELOW } from '../parts/below';
import { Dialog } from '../parts/dialog';
import { OneTimeValue } from '../parts/one-time';
import { Trouble } from '../parts/refusal';
import { fieldProblems, isShownInPlace } from '../problems';
import type { Permission } from '../rights';
import { FirstCall } from './first-call';
import { ScopeChoice } from './scopes';

const TERMS = ['30', '90', '365', 'never', 'date'] as const;
type Term = (typeof TERMS)[number];
type Values = { name: string; scopes: Permission[]; term: Term; date: string };

const DAY = 86_400_000;

export function NewKeyDialog({
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
    // Nothing but its cross and its button close it: a key that is shown once would be lost.
    <Dialog
      opened={opened}
      onClose={close}
      title={t.settings.keys.create}
      closeOnClickOutside={false}
      closeOnEscape={false}
      size="lg"
    >
      <NewKeyForm tenant={tenant} close={close} />
    </Dialog>
  );
}

function endOf({ term, date }: Values): string | null {
  if (term === 'never') return null;
  if (term === 'date') return new Date(`${date}T23:59:59`).toISOString();
  // The end of a day, so that the same form sent again is the same request.
  const end = new Date(Date.now() + Number(term) * DAY);
  end.setHours(23, 59, 59, 0);
  return end.toISOString();
}

function NewKeyForm({ tenant, close }: { tenant: string; close: () => void }) {
  const t = useTexts();
  const queries = useQueryClient();
  const key = useOnce();
  const form = useForm<Values>({
    initialValues: { name: '', scopes: ['chat'], term: '365', date: '' },
    validate: {
      scopes: (scopes) => (scopes.length > 0 ? null : t.settings.keys.noScopes),
      date: (date, { term }) => (term !== 'date' || date ? null : t.settings.problems.empty),
    },
  });
  const making = useMutation({
    mutationFn: (values: Values) => {
      const { name, scopes } = values;
      const body: Schemas['CreateApiKey'] = { name, scopes, expires_at: endOf(values) };
      return told(api.POST('/api/v1/api-keys', { body, params: { header: key.header(body) } }));
    },
    onSuccess: () => {
      key.forget();
      return queries.invalidateQueries({ queryKey: [tenant, 'keys'] });
    },
    onError: (error) => {
      const { expires_at, ...rest } = fieldProblems(error, t);
      form.setErrors({ ...rest, ...(expires_at ? { date: expires_at } : {}) });
    },
  });
  useGuard(form.isDirty() && !making.data);
  if (making.data)
    return (
      <Stack>
        {making.data.key ? (
          <OneTimeValue
            title={t.settings.keys.madeTitle(making.data.name)}
            text={t.settings.keys.madeText}
            value={making.data.key}
          />
        ) : (
          <Text size="sm" role="status">
            {t.settings.keys.lost}
          </Text>
        )}
        {making.data.key && making.data.scopes.includes('chat') && (
          <FirstCall tenant={tenant} apiKey={making.data.key} />
        )}
        <Button variant="default" onClick={close}>
          {t.common.close}
        </Button>
      </Stack>
    );
  return (
    <form onSubmit={form.onSubmit((values) => making.mutate(values))}>
      <Stack>
        {making.isError && !isShownInPlace(making.error, ['name', 'scopes', 'expires_at']) && (
          <Trouble error={making.error} />
        )}
        <TextInput
          label={t.common.name}
          description={t.settings.keys.nameHelp}
          {...BELOW}
          required
          maxLength={100}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <ScopeChoice
          tenant={tenant}
          value={form.values.scopes}
          onChange={(scopes) => form.setFieldValue('scopes', scopes)}
          error={form.errors.scopes}
        />
        <Select
          label={t.settings.keys.term}
          description={t.settings.keys.termHelp}
          {...BELOW}
          data={TERMS.map((value) => ({ value, label: t.settings.keys.terms[value] }))}
          allowDeselect={false}
          {...form.getInputProps('term')}
        />
        {form.values.term === 'date' && (
          <TextInput type="date" label={t.settings.keys.date} required {...form.getInputProps('date')} />
        )}
        <Button type="submit" loading={making.isPending}>
          {t.settings.keys.create}
        </Button>
      </Stack>
    </form>
  );
}
