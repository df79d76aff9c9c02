import { Button, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../../api/client';
import { useLanguage, useTexts } from '../../../i18n';
import { useGuard } from '../../../parts/guard';
import { done } from '../../../parts/notify';
import { useOnce } from '../once';
import { BELOW } from '../parts/below';
import { Dialog } from '../parts/dialog';
import { Trouble } from '../parts/refusal';
import { HERE, localeChoices, zoneChoices } from '../places';
import { fieldProblems, isShownInPlace } from '../problems';
import { plans } from '../queries';
import type { Opened } from './tenants';

type Tenant = Schemas['Tenant'];

export function TenantDialog({ opened, close }: { opened: Opened; close: () => void }) {
  const t = useTexts();
  const old = opened?.dialog === 'edit' ? opened.tenant : undefined;
  return (
    <Dialog
      opened={opened?.dialog === 'new' || old !== undefined}
      onClose={close}
      title={old?.name ?? t.choose.create}
    >
      <TenantForm old={old} close={close} />
    </Dialog>
  );
}

function TenantForm({ old, close }: { old: Tenant | undefined; close: () => void }) {
  const t = useTexts();
  const language = useLanguage();
  const queries = useQueryClient();
  const key = useOnce();
  const known = useQuery(plans);
  const form = useForm({
    initialValues: {
      name: old?.name ?? '',
      slug: old?.slug ?? '',
      plan: old?.plan ?? 'free',
      locale: old?.locale ?? (language === 'en' ? 'en-US' : 'es-PE'),
      time_zone: old?.time_zone ?? HERE,
    },
  });
  const letGo = useGuard(form.isDirty());
  const saving = useMutation({
    mutationFn: ({ slug, ...rest }: typeof form.values) => {
      if (old)
        return told(
          api.PATCH('/api/v1/tenants/{tenant_id}', {
            params: { path: { tenant_id: old.id } },
            body: rest,
          }),
        );
      const body = { ...rest, slug: slug.trim() || null };
      return told(api.POST('/api/v1/tenants', { body, params: { header: key.header(body) } }));
    },
    onSuccess: async () => {
      letGo();
      key.forget();
      done(t.common.saved);
      await queries.invalidateQueries({ queryKey: ['tenants'] });
      if (old) await queries.invalidateQueries({ queryKey: [old.slug] });
      close();
    },
    onError: (error) => form.setErrors(fieldProblems(error, t)),
  });
  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))}>
      <Stack>
        {saving.isError && !isShownInPlace(saving.error, Object.keys(form.values)) && (
          <Trouble error={saving.error} />
        )}
        <TextInput
          label={t.choose.name}
          required
          maxLength={100}
          data-autofocus
          {...form.getInputProps('name')}
        />
        {!old && (
          <TextInput
            label={t.choose.slug}
            description={t.settings.platform.slugHelp}
            {...BELOW}
            maxLength={50}
            {...form.getInputProps('slug')}
          />
        )}
        <Select
          label={t.settings.business.plan}
          data={known.data?.map((plan) => ({ value: plan.slug, label: plan.name })) ?? [form.values.plan]}
          allowDeselect={false}
          required
          {...form.getInputProps('plan')}
        />
        <Select
          label={t.settings.business.locale}
          data={localeChoices(language, form.values.locale)}
          searchable
          allowDeselect={false}
          required
          {...form.getInputProps('locale')}
        />
        <Select
          label={t.settings.business.timeZone}
          data={zoneChoices(form.values.time_zone)}
          limit={50}
          searchable
          allowDeselect={false}
          required
          {...form.getInputProps('time_zone')}
        />
        <Button type="submit" loading={saving.isPending}>
          {old ? t.common.save : t.choose.create}
        </Button>
      </Stack>
    </form>
  );
}
