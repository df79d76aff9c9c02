import { Code, Group, Progress, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useTexts } from '../../../i18n';
import { TextLink } from '../../../parts/links';
import { useFormats } from '../../customers/formats';
import { instructionOf } from '../queries';
import { listOf, textOf, type ViewProps } from './props';
import { MoreView } from './values';

export function GuardView({ details }: ViewProps) {
  const t = useTexts();
  const actions: Record<string, string> = t.conversations.guardActions;
  const kinds: Record<string, string> = t.agents.guardKinds;
  const action = textOf(details.action);
  if (!action)
    return <Text size="sm">{t.conversations.suspicious(Number(details.suspicious_passages))}</Text>;
  return (
    <>
      <Text size="sm">{actions[action] ?? action}</Text>
      {listOf(details.reasons).map((one, at) => {
        const { kind, excerpt } = one as { kind?: string; excerpt?: string };
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a turn that was kept never changes
          <Text key={at} size="xs" c="dimmed">
            {kinds[kind ?? ''] ?? kind}
            {excerpt && `: «${excerpt}»`}
          </Text>
        );
      })}
    </>
  );
}

export function SupervisorView({ tenant, details }: ViewProps) {
  const t = useTexts();
  const { percent } = useFormats(tenant);
  const names: Record<string, string> = t.conversations.intents;
  const ranked = listOf(details.ranked)
    .map((pair) => listOf(pair))
    .map(([intent, share]) => ({ name: names[String(intent)] ?? String(intent), share: Number(share) }))
    .slice(0, 3);
  const flags = [
    details.asks_human === true && t.agents.asksHuman,
    details.affirms === true && t.agents.affirms,
    details.affirms === false && t.agents.denies,
    details.sub === 'invoicing' && t.agents.invoicing,
  ].filter((flag) => flag !== false);
  const reasons = listOf(details.reasons) as { intent: string; phrase: string; weight: number }[];
  return (
    <>
      {ranked.map(({ name, share }) => (
        <Group key={name} gap="xs" wrap="nowrap">
          <Text size="sm" flex="0 1 40%">
            {name}
          </Text>
          <Progress value={share * 100} flex={1} aria-label={name} />
          <Text size="xs" c="dimmed" w={48} ta="right">
            {percent(share)}
          </Text>
        </Group>
      ))}
      {flags.map((flag) => (
        <Text key={flag} size="sm">
          {flag}
        </Text>
      ))}
      {reasons.length > 0 && (
        <MoreView label={t.agents.phrases}>
          {reasons.map(({ intent, phrase, weight }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a phrase may stand there twice, and nothing moves
            <Text key={at} size="xs">
              {names[intent] ?? intent} {weight > 0 ? `+${weight}` : weight}: <Code>{phrase}</Code>
            </Text>
          ))}
        </MoreView>
      )}
    </>
  );
}

export function RouterView({ details }: ViewProps) {
  const t = useTexts();
  const names: Record<string, string> = t.conversations.specialists;
  const named = (value: unknown) => names[String(value)] ?? String(value);
  if (details.specialist) return <Text size="sm">{named(details.specialist)}</Text>;
  return (
    <Text size="sm">
      {named(details.from)} → {named(details.to)}
    </Text>
  );
}

export function SearchView({ tenant, details, citations }: ViewProps) {
  const t = useTexts();
  const chunks = listOf(details.chunks);
  const used = citations.filter((one) => chunks.length === 0 || chunks.includes(one.chunk_id));
  const learned = Number(details.learned ?? 0);
  const found = [
    t.agents.passages(Number(details.passages ?? 0)),
    ...(learned > 0 ? [t.agents.learned(learned)] : []),
  ];
  return (
    <>
      <Text size="sm">
        {t.agents.query} «{String(details.query ?? '')}»: {found.join(', ')}
      </Text>
      {used.length > 0 && (
        <Text size="xs" c="dimmed">
          {t.agents.cited}:{' '}
          {used.map((one, at) => (
            <span key={one.number}>
              {at > 0 && ', '}
              <TextLink
                to="/t/$tenant/knowledge/$kb/documents/$document"
                params={{ tenant, kb: one.knowledge_base_id, document: one.document_id }}
                search={{ chunk: one.chunk_id }}
                size="xs"
                underline="always"
              >
                [{one.number}] {one.title ?? t.agents.sources}
              </TextLink>
            </span>
          ))}
        </Text>
      )}
      <HeededInstructions tenant={tenant} ids={listOf(details.instructions).map(String)} />
    </>
  );
}

/** The instructions that mattered for a message, by their titles. */
function HeededInstructions({ tenant, ids }: { tenant: string; ids: string[] }) {
  const t = useTexts();
  const found = useQueries({ queries: ids.map((id) => instructionOf(tenant, id)) });
  const titles = found.flatMap((one) => (one.data ? [one.data.title] : []));
  if (titles.length === 0) return null;
  return (
    <Text size="xs" c="dimmed">
      {t.agents.heeded}: {titles.join(', ')}
    </Text>
  );
}
