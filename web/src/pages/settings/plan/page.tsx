import { Paper, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { ListSkeleton } from '../../../parts/skeletons';
import { type Formats, useFormats } from '../formats';
import { KeyFacts } from '../parts/key-facts';
import { RestrictedPage, Trouble } from '../parts/refusal';
import { usageOf } from '../queries';
import { CounterGrid } from './counters';
import { CreditLedger } from './credits';
import { LimitBar } from './limits';
import { PriceTable } from './prices';

export function PlanPage() {
  const t = useTexts();
  const { tenant } = useParams({ from: '/inside/t/$tenant' });
  return (
    <RestrictedPage
      tenant={tenant}
      needs="usage:read"
      title={t.settings.sections.plan}
      intro={t.settings.plan.intro}
    >
      <UsageReport tenant={tenant} />
      <CreditLedger tenant={tenant} />
      <PriceTable tenant={tenant} />
    </RestrictedPage>
  );
}

function UsageReport({ tenant }: { tenant: string }) {
  const t = useTexts();
  const formats = useFormats(tenant);
  const usage = useQuery(usageOf(tenant));
  if (usage.isPending) return <ListSkeleton rows={4} />;
  if (usage.isLoadingError) return <Trouble error={usage.error} again={usage.refetch} />;
  const { plan, limits, counters, month, personal_knowledge: personal } = usage.data;
  return (
    <>
      <Paper withBorder p="md">
        <Stack gap="md">
          <Title order={2} size="h4">
            {t.settings.plan.planOf(plan.name)}
          </Title>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {limits.map((use) => (
              <LimitBar key={use.limit} use={use} formats={formats} />
            ))}
          </SimpleGrid>
          {personal.knowledge_bases > 0 && (
            <Text size="sm" c="dimmed">
              {t.settings.plan.personal(personal.members, formats.bytes(personal.size_bytes))}
            </Text>
          )}
          <KeyFacts facts={otherLimits(plan.limits, t.settings.plan, formats)} />
        </Stack>
      </Paper>
      <Paper withBorder p="md">
        <Title order={2} size="h4" mb="xs">
          {t.settings.plan.monthOf(formats.month(month))}
        </Title>
        <CounterGrid counters={counters} formats={formats} />
      </Paper>
      <CreditBar report={usage.data} formats={formats} />
    </>
  );
}

function CreditBar({ report, formats }: { report: Schemas['UsageReport']; formats: Formats }) {
  const t = useTexts();
  const { credits_balance: balance, plan } = report;
  const monthly = plan.limits.monthly_credits;
  const share = monthly > 0 ? Math.min(100, Math.max(0, (100 * balance) / monthly)) : 0;
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4">
        {t.settings.plan.credits}
      </Title>
      <Text fz={28} fw={650}>
        {formats.number(balance)}
      </Text>
      <Progress
        value={share}
        color={share < 10 ? 'ochre' : 'teal'}
        aria-label={t.settings.plan.credits}
        my="xs"
      />
      <Text size="sm" c="dimmed">
        {t.settings.plan.creditsText(formats.number(monthly))}
      </Text>
    </Paper>
  );
}

function otherLimits(
  limits: Schemas['PlanLimits'],
  words: {
    documents: string;
    knowledgeBytes: string;
    requests: string;
    agentsOn: string;
    on: string;
    off: string;
    endless: string;
  },
  formats: Formats,
): (readonly [string, string])[] {
  const limit = (value: number | null | undefined, format: (value: number) => string) =>
    value == null ? words.endless : format(value);
  return [
    [words.documents, limit(limits.max_documents_per_kb, formats.number)],
    [words.knowledgeBytes, limit(limits.max_kb_bytes, formats.bytes)],
    [words.requests, formats.number(limits.requests_per_minute)],
    [words.agentsOn, limits.ai_agents_enabled ? words.on : words.off],
  ];
}
