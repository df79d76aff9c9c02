import { Button, Center, Paper, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, once, told } from '../api/client';
import { me } from '../api/session';
import { language, useTexts } from '../i18n';
import { FailureNotice } from '../parts/failures';
import { CardLink } from '../parts/links';
import { useTenants } from '../shell/TenantSwitcher';

const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const ZONES = [...new Set([HERE, ...Intl.supportedValuesOf('timeZone')])];

/** Where somebody of several tenants says which one, and whoever runs the platform makes one. */
export function ChoosePage() {
  const t = useTexts();
  const navigate = useNavigate();
  const tenants = useTenants();
  const runs = useQuery(me).data?.user.super_admin ?? false;
  const [making, { open }] = useDisclosure();
  const go = (tenant: string) => navigate({ to: '/t/$tenant', params: { tenant } });
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={480}>
        <Title order={1} size="h3">
          {t.choose.title}
        </Title>
        <Text c="dimmed" size="sm">
          {tenants.length > 0 || runs ? t.choose.hint : t.choose.none}
        </Text>
        {tenants.map((tenant) => (
          <CardLink key={tenant.slug} to="/t/$tenant" params={{ tenant: tenant.slug }}>
            <Text fw={600}>{tenant.name}</Text>
            <Text size="xs" c="dimmed">
              {tenant.slug}
            </Text>
          </CardLink>
        ))}
        {runs && !making && (
          <Button variant="default" onClick={open}>
            {t.choose.create}
          </Button>
        )}
        {making && <NewTenantForm made={go} />}
      </Stack>
    </Center>
  );
}

function NewTenantForm({ made }: { made: (slug: string) => void }) {
  const t = useTexts();
  const queries = useQueryClient();
  const plans = useQuery({ queryKey: ['plans'], queryFn: () => told(api.GET('/api/v1/plans')) });
  const form = useForm({
    initialValues: {
      name: '',
      slug: '',
      plan: 'free',
      time_zone: HERE,
    },
  });
  const making = useMutation({
    mutationFn: (values: typeof form.values) => {
      const body = { ...values, locale: language() === 'en' ? 'en-US' : 'es-PE' };
      return told(api.POST('/api/v1/tenants', { body, params: { header: once() } }));
    },
    onSuccess: async (tenant) => {
      await queries.invalidateQueries();
      made(tenant.slug);
    },
  });
  const named = (name: string) => {
    const plain = name
      .normalize('NFD')
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .toLowerCase();
    form.setValues({
      name,
      slug: plain
        .trim()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '')
        .slice(0, 50),
    });
  };
  return (
    <Paper withBorder p="md" component="form" onSubmit={form.onSubmit((values) => making.mutate(values))}>
      <Stack>
        {making.isError && <FailureNotice error={making.error} />}
        <TextInput
          label={t.choose.name}
          required
          value={form.values.name}
          onChange={(event) => named(event.currentTarget.value)}
        />
        <TextInput
          label={t.choose.slug}
          description={t.choose.slugHelp}
          required
          {...form.getInputProps('slug')}
        />
        <Select
          label={t.choose.timeZone}
          data={ZONES}
          limit={50}
          searchable
          required
          {...form.getInputProps('time_zone')}
        />
        <Select
          label={t.choose.admin}
          data={plans.data?.map((plan) => ({ value: plan.slug, label: plan.name })) ?? []}
          required
          {...form.getInputProps('plan')}
        />
        <Button type="submit" loading={making.isPending}>
          {t.choose.create}
        </Button>
      </Stack>
    </Paper>
  );
}
