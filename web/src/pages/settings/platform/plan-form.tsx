import { Button, NumberInput, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
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
import { plans } from '../queries';

type Plan = Schemas['Plan'];
type Amount = number | '';

const MEGABYTE = 1024 * 1024;
const COUNTS = ['max_agents', 'max_members', 'max_knowledge_bases', 'max_documents_per_kb'] as const;
const SIZES = ['max_kb_bytes', 'max_storage_bytes'] as const;

const shown = (value: number | null | undefined, unit = 1): Amount => (value == null ? '' : value / unit);
const meant = (value: Amount, unit = 1) => (value === '' ? null : Math.round(Number(value) * unit));

export function PlanDialog({ edited, close }: { edited: Plan | 'new' | undefined; close: () => void }) {
  const t = useTexts();
  const old = edited === 'new' ? undefined : edited;
  return (
    <Dialog
      opened={edited !== undefined}
      onClose={close}
      title={old?.name ?? t.settings.platform.newPlan}
      size="lg"
    >
      <PlanForm old={old} close={close} />
    </Dialog>
  );
}

function PlanForm({ old, close }: { old: Plan | undefined; close: () => void }) {
  const t = useTexts();
  const queries = useQueryClient();
  const limits = old?.limits;
  const form = useForm({
    initialValues: {
      slug: old?.slug ?? '',
      name: old?.name ?? '',
      ai_agents_enabled: limits?.ai_agents_enabled ?? true,
      max_agents: shown(limits?.max_agents ?? (old ? null : 1)),
      max_members: shown(limits?.max_members ?? (old ? null : 3)),
      max_knowledge_bases: shown(limits?.max_knowledge_bases ?? (old ? null : 1)),
      max_documents_per_kb: shown(limits?.max_documents_per_kb ?? (old ? null : 50)),
      max_kb_bytes: shown(limits?.max_kb_bytes ?? (old ? null : 20 * MEGABYTE), MEGABYTE),
      max_storage_bytes: shown(limits?.max_storage_bytes ?? (old ? null : 20 * MEGABYTE), MEGABYTE),
      monthly_credits: shown(limits?.monthly_credits ?? 500),
      requests_per_minute: shown(limits?.requests_per_minute ?? 60),
    },
    validate: {
      slug: (slug) => (/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug) ? null : t.settings.problems.not_a_slug),
      monthly_credits: (value) => (value === '' ? t.settings.problems.empty : null),
      requests_per_minute: (value) => (value === '' ? t.settings.problems.empty : null),
    },
  });
  const letGo = useGuard(form.isDirty());
  const saving = useMutation({
    mutationFn: (values: typeof form.values) =>
      told(
        api.PUT('/api/v1/plans/{plan_slug}', {
          params: { path: { plan_slug: values.slug } },
          body: {
            name: values.name,
            limits: {
              ai_agents_enabled: values.ai_agents_enabled,
              max_agents: meant(values.max_agents),
              max_members: meant(values.max_members),
              max_knowledge_bases: meant(values.max_knowledge_bases),
              max_documents_per_kb: meant(values.max_documents_per_kb),
              max_kb_bytes: meant(values.max_kb_bytes, MEGABYTE),
              max_storage_bytes: meant(values.max_storage_bytes, MEGABYTE),
              monthly_credits: meant(values.monthly_credits) ?? 0,
              requests_per_minute: meant(values.requests_per_minute) ?? 1,
            },
          },
        }),
      ),
    onSuccess: async () => {
      letGo();
      done(t.common.saved);
      await queries.invalidateQueries({ queryKey: plans.queryKey });
      close();
    },
    onError: (error) => form.setErrors(fieldProblems(error, t)),
  });
  const names: Record<string, string> = {
    ...t.settings.plan.limits,
    max_documents_per_kb: t.settings.plan.documents,
    max_kb_bytes: t.settings.platform.knowledgeMegabytes,
    max_storage_bytes: t.settings.platform.storageMegabytes,
  };
  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))}>
      <Stack>
        {saving.isError && Object.keys(form.errors).length === 0 && <Trouble error={saving.error} />}
        <TextInput
          label={t.common.name}
          required
          maxLength={100}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t.settings.platform.planSlug}
          description={t.settings.platform.planSlugHelp}
          {...BELOW}
          required
          maxLength={50}
          disabled={old !== undefined}
          {...form.getInputProps('slug')}
        />
        <Switch
          label={t.settings.plan.agentsOn}
          {...form.getInputProps('ai_agents_enabled', { type: 'checkbox' })}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          {[...COUNTS, ...SIZES].map((name) => (
            <NumberInput
              key={name}
              label={names[name]}
              placeholder={t.settings.plan.endless}
              min={0}
              allowDecimal={name.endsWith('_bytes')}
              {...form.getInputProps(name)}
            />
          ))}
          <NumberInput
            label={t.settings.plan.monthly}
            min={0}
            allowDecimal={false}
            required
            {...form.getInputProps('monthly_credits')}
          />
          <NumberInput
            label={t.settings.plan.requests}
            min={1}
            max={1_000_000}
            allowDecimal={false}
            required
            {...form.getInputProps('requests_per_minute')}
          />
        </SimpleGrid>
        <Button type="submit" loading={saving.isPending}>
          {t.common.save}
        </Button>
      </Stack>
    </form>
  );
}
