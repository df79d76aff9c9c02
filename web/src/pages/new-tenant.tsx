import {
  Button,
  Group,
  Paper,
  Radio,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, enterTenant, type Schemas, told } from '../api/client';
import { useLanguage, useTexts } from '../i18n';
import { FailureNotice } from '../parts/failures';
import { useGuard } from '../parts/guard';
import { useOnce } from './settings/once';
import { BELOW } from './settings/parts/below';
import { localeChoices, zoneChoices } from './settings/places';
import { fieldProblems, isShownInPlace } from './settings/problems';
import { plans } from './settings/queries';
import { COUNTRIES, chosenZone, localeOf, rememberKind } from './starting';

const KINDS = ['restaurant', 'dental', 'medical', 'general'] as const satisfies Schemas['Vertical'][];
const CURRENCIES = [...new Set(Object.values(COUNTRIES))] as Schemas['Currency'][];
const FIELDS = ['name', 'slug', 'plan', 'locale', 'time_zone'];

const slugOf = (name: string) =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 50);

/** How many agents a plan has room for. */
const room = ({ limits }: Schemas['Plan']) => limits.max_agents ?? Number.POSITIVE_INFINITY;

/** A business of one's own: what it is, where it is and what is paid with there. */
export function NewTenantForm({ made, cancel }: { made: (slug: string) => void; cancel: () => void }) {
  const t = useTexts();
  const language = useLanguage();
  const queries = useQueryClient();
  const key = useOnce();
  const known = useQuery(plans);
  const zone = chosenZone();
  const locale = localeOf(zone, language);
  const form = useForm({
    initialValues: {
      name: '',
      slug: '',
      kind: 'general' as Schemas['Vertical'],
      plan: '',
      locale,
      currency: COUNTRIES[locale] ?? 'USD',
      time_zone: zone,
    },
  });
  const letGo = useGuard(form.isDirty());
  const making = useMutation({
    mutationFn: async ({ kind, currency, ...body }: typeof form.values) => {
      const tenant = await told(api.POST('/api/v1/tenants', { body, params: { header: key.header(body) } }));
      rememberKind(tenant.slug, kind);
      enterTenant(tenant.slug);
      const profile = await told(api.GET('/api/v1/business'));
      if (profile.currency !== currency) {
        const changed = { ...profile, currency: currency as Schemas['Currency'] };
        await told(api.PUT('/api/v1/business', { body: changed }));
      }
      return tenant;
    },
    onSuccess: async (tenant) => {
      key.forget();
      letGo();
      await queries.invalidateQueries();
      made(tenant.slug);
    },
    onError: (error) => form.setErrors(fieldProblems(error, t)),
  });
  // Whoever runs the installation makes it: the widest plan is theirs to narrow.
  const widest = [...(known.data ?? [])].sort((a, b) => room(b) - room(a))[0];
  const chosen = form.values.plan || (widest?.slug ?? '');
  const limits = known.data?.find(({ slug }) => slug === chosen)?.limits;
  const names = new Intl.DisplayNames(language, { type: 'currency' });
  const named = (name: string) => form.setValues({ name, slug: slugOf(name) });
  return (
    <Paper
      withBorder
      p="lg"
      component="form"
      onSubmit={form.onSubmit((values) => making.mutate({ ...values, plan: chosen }))}
    >
      <Stack>
        <Title order={2} size="h4">
          {t.choose.newTitle}
        </Title>
        {making.isError && !isShownInPlace(making.error, FIELDS) && <FailureNotice error={making.error} />}
        <TextInput
          label={t.choose.name}
          required
          maxLength={100}
          data-autofocus
          value={form.values.name}
          error={form.errors.name}
          onChange={(event) => named(event.currentTarget.value)}
        />
        <Radio.Group label={t.agents.vertical} {...form.getInputProps('kind')}>
          <SimpleGrid cols={{ base: 1, xs: 2 }} mt={6} spacing="xs">
            {KINDS.map((kind) => (
              <Radio.Card key={kind} value={kind} p="sm" radius="md">
                <Group gap="sm" wrap="nowrap" align="flex-start">
                  <Radio.Indicator />
                  <div>
                    <Text fw={600} size="sm">
                      {t.choose.kinds[kind]}
                    </Text>
                    <Text size="xs" c="dimmed">
                      {t.choose.kindTexts[kind]}
                    </Text>
                  </div>
                </Group>
              </Radio.Card>
            ))}
          </SimpleGrid>
        </Radio.Group>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Select
            label={t.choose.locale}
            data={localeChoices(language, form.values.locale)}
            searchable
            allowDeselect={false}
            required
            {...form.getInputProps('locale')}
            onChange={(value) =>
              value && form.setValues({ locale: value, currency: COUNTRIES[value] ?? form.values.currency })
            }
          />
          <Select
            label={t.choose.currency}
            data={CURRENCIES.map((code) => ({ value: code, label: `${code} · ${names.of(code) ?? code}` }))}
            searchable
            allowDeselect={false}
            required
            {...form.getInputProps('currency')}
          />
          <Select
            label={t.choose.timeZone}
            data={zoneChoices(form.values.time_zone)}
            limit={50}
            searchable
            allowDeselect={false}
            required
            {...form.getInputProps('time_zone')}
          />
          <Select
            label={t.choose.admin}
            description={limits && t.choose.planLimits(limits.max_agents, limits.max_members)}
            data={known.data?.map((plan) => ({ value: plan.slug, label: plan.name })) ?? []}
            allowDeselect={false}
            required
            {...form.getInputProps('plan')}
            value={chosen}
          />
        </SimpleGrid>
        <TextInput
          label={t.choose.slug}
          description={t.choose.slugHelp}
          {...BELOW}
          required
          maxLength={50}
          {...form.getInputProps('slug')}
        />
        <Group>
          <Button type="submit" loading={making.isPending}>
            {t.choose.create}
          </Button>
          <Button variant="subtle" onClick={cancel}>
            {t.common.cancel}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
