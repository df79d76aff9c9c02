import { Button, Group, Paper, SimpleGrid, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schemas, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { done, failed } from '../../../parts/notify';
import { EmptyState } from '../../../parts/page';
import { ListSkeleton } from '../../../parts/skeletons';
import { useFormats } from '../formats';
import { ask } from '../parts/dialog';
import { KeyFacts } from '../parts/key-facts';
import { RestrictedPage, Trouble } from '../parts/refusal';
import { plans } from '../queries';
import { PlanDialog } from './plan-form';

type Plan = Schemas['Plan'];

export function PlansPage() {
  const t = useTexts();
  const { tenant } = useParams({ from: '/inside/t/$tenant' });
  const [edited, edit] = useState<Plan | 'new'>();
  const list = useQuery(plans);
  const create = <Button onClick={() => edit('new')}>{t.settings.platform.newPlan}</Button>;
  return (
    <RestrictedPage
      tenant={tenant}
      needs="platform"
      title={t.settings.sections.plans}
      intro={t.settings.platform.plansIntro}
      actions={create}
    >
      {list.isPending && <ListSkeleton rows={3} />}
      {list.isError && <Trouble error={list.error} again={list.refetch} />}
      {list.data?.length === 0 && (
        <EmptyState
          title={t.settings.platform.noPlans}
          text={t.settings.platform.plansIntro}
          action={create}
        />
      )}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {list.data?.map((plan) => (
          <PlanCard key={plan.slug} tenant={tenant} plan={plan} edit={() => edit(plan)} />
        ))}
      </SimpleGrid>
      <PlanDialog edited={edited} close={() => edit(undefined)} />
    </RestrictedPage>
  );
}

function PlanCard({ tenant, plan, edit }: { tenant: string; plan: Plan; edit: () => void }) {
  const t = useTexts();
  const queries = useQueryClient();
  const { number, bytes } = useFormats(tenant);
  const { limits } = plan;
  const names = t.settings.plan;
  const limit = (value: number | null | undefined, format: (value: number) => string) =>
    value == null ? names.endless : format(value);
  const deleting = useMutation({
    mutationFn: () =>
      told(api.DELETE('/api/v1/plans/{plan_slug}', { params: { path: { plan_slug: plan.slug } } })),
    onSuccess: async () => {
      done(t.settings.platform.planDeleted(plan.name));
      await queries.invalidateQueries({ queryKey: plans.queryKey });
    },
    onError: failed,
  });
  const askDelete = () =>
    ask({
      title: t.settings.platform.deletePlan(plan.name),
      text: t.settings.platform.deletePlanText,
      confirm: t.common.delete,
      danger: true,
      act: () => deleting.mutate(),
    });
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" align="flex-start" mb="sm">
        <div>
          <Title order={2} size="h4">
            {plan.name}
          </Title>
          <Text size="sm" c="dimmed">
            {plan.slug}
          </Text>
        </div>
        <Group gap={4}>
          <Button size="compact-sm" variant="subtle" onClick={edit}>
            {t.settings.edit}
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            onClick={askDelete}
            loading={deleting.isPending}
          >
            {t.common.delete}
          </Button>
        </Group>
      </Group>
      <KeyFacts
        facts={[
          [names.agentsOn, limits.ai_agents_enabled ? names.on : names.off],
          [names.limits.max_agents, limit(limits.max_agents, number)],
          [names.limits.max_members, limit(limits.max_members, number)],
          [names.limits.max_knowledge_bases, limit(limits.max_knowledge_bases, number)],
          [names.documents, limit(limits.max_documents_per_kb, number)],
          [names.knowledgeBytes, limit(limits.max_kb_bytes, bytes)],
          [names.limits.max_storage_bytes, limit(limits.max_storage_bytes, bytes)],
          [names.monthly, number(limits.monthly_credits)],
          [names.requests, number(limits.requests_per_minute)],
        ]}
      />
    </Paper>
  );
}
