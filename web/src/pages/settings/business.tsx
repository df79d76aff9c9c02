import { Button, Paper, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api, type Schemas, told } from '../../api/client';
import { me } from '../../api/session';
import { useLanguage, useTexts } from '../../i18n';
import { useGuard } from '../../parts/guard';
import { TextLink } from '../../parts/links';
import { done } from '../../parts/notify';
import { Page } from '../../parts/page';
import { ListSkeleton } from '../../parts/skeletons';
import { useFormats } from './formats';
import { BELOW } from './parts/below';
import { useFollowed } from './parts/followed';
import { KeyFacts } from './parts/key-facts';
import { Trouble } from './parts/refusal';
import { localeChoices, zoneChoices } from './places';
import { fieldProblems, isShownInPlace } from './problems';
import { profileOf, tenantOf } from './queries';
import { useRights } from './rights';

const FIELDS = ['name', 'locale', 'time_zone'] as const;

export function BusinessPage() {
  const t = useTexts();
  const { tenant } = useParams({ from: '/inside/t/$tenant' });
  const { may } = useRights(tenant);
  const { day } = useFormats(tenant);
  const current = useQuery(tenantOf(tenant));
  const profile = useQuery({ ...profileOf(tenant), enabled: may('business:read') });
  return (
    <Page title={t.settings.sections.business} intro={t.settings.business.intro}>
      {current.isPending && <ListSkeleton rows={3} />}
      {current.isError && <Trouble error={current.error} again={current.refetch} />}
      {current.data && may('tenant:write') && <ProfileForm slug={tenant} tenant={current.data} />}
      {current.data && (
        <Paper withBorder p="md">
          <KeyFacts
            facts={[
              ...(may('tenant:write')
                ? []
                : [
                    [t.common.name, current.data.name] as const,
                    [t.settings.business.locale, current.data.locale] as const,
                    [t.settings.business.timeZone, current.data.time_zone] as const,
                  ]),
              [t.settings.business.slug, current.data.slug],
              [t.settings.business.plan, current.data.plan],
              [t.settings.business.created, day(current.data.created_at)],
              ...(profile.data?.currency
                ? [[t.settings.business.currency, profile.data.currency] as const]
                : []),
            ]}
          />
          <Text size="sm" c="dimmed" mt="xs">
            {t.settings.business.elsewhere}{' '}
            <TextLink to="/t/$tenant/business" params={{ tenant }} size="sm" underline="always">
              {t.settings.business.elsewhereLink}
            </TextLink>
          </Text>
        </Paper>
      )}
    </Page>
  );
}

function ProfileForm({ slug, tenant }: { slug: string; tenant: Schemas['Tenant'] }) {
  const t = useTexts();
  const language = useLanguage();
  const queries = useQueryClient();
  const known = { name: tenant.name, locale: tenant.locale, time_zone: tenant.time_zone };
  const form = useForm({ initialValues: known });
  useFollowed(form, known);
  useGuard(form.isDirty());
  const saving = useMutation({
    mutationFn: (values: typeof form.values) => {
      // Only what somebody changed: somebody else may have changed the rest meanwhile.
      const changed = Object.entries(values).filter(([field]) => form.isDirty(field));
      return told(api.PATCH('/api/v1/tenant', { body: Object.fromEntries(changed) }));
    },
    onSuccess: async (_, sent) => {
      // What was typed while it was being saved is not saved yet.
      form.resetDirty(sent);
      done(t.common.saved);
      await Promise.all([
        queries.invalidateQueries({ queryKey: [slug] }),
        queries.invalidateQueries({ queryKey: ['tenants'] }),
        queries.invalidateQueries({ queryKey: me.queryKey }),
      ]);
    },
    onError: (error) => form.setErrors(fieldProblems(error, t)),
  });
  return (
    <Paper withBorder p="md" component="form" onSubmit={form.onSubmit((values) => saving.mutate(values))}>
      <Stack maw={480}>
        {saving.isError && !isShownInPlace(saving.error, FIELDS) && <Trouble error={saving.error} />}
        <TextInput
          label={t.common.name}
          description={t.settings.business.nameHelp}
          {...BELOW}
          required
          maxLength={100}
          {...form.getInputProps('name')}
        />
        <Select
          label={t.settings.business.locale}
          description={t.settings.business.localeHelp}
          {...BELOW}
          data={localeChoices(language, tenant.locale)}
          searchable
          allowDeselect={false}
          required
          {...form.getInputProps('locale')}
        />
        <Select
          label={t.settings.business.timeZone}
          description={t.settings.business.timeZoneHelp}
          {...BELOW}
          data={zoneChoices(tenant.time_zone)}
          limit={50}
          searchable
          allowDeselect={false}
          required
          {...form.getInputProps('time_zone')}
        />
        <Button
          type="submit"
          loading={saving.isPending}
          disabled={!form.isDirty()}
          style={{ alignSelf: 'flex-start' }}
        >
          {t.common.save}
        </Button>
      </Stack>
    </Paper>
  );
}
