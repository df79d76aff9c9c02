import { Code, Group, Text, Timeline } from '@mantine/core';
import type { Schemas } from '../../api/client';
import { type Texts, useTexts } from '../../i18n';
import { type Formats, useFormats } from '../customers/formats';

type Step = Schemas['Step'];
type Tools = { name: string; description: string }[];

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value ? value : undefined;
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const isEmpty = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** What is less likely than this is not worth a word. */
const UNLIKELY = 0.005;

/** What a supervisor made of a message: what it may be about, most likely first. */
function understood(details: Step['details'], t: Texts, formats: Formats): string {
  const names: Record<string, string> = t.conversations.intents;
  return listOf(details.ranked)
    .map(listOf)
    .filter(([, share], at) => at === 0 || Number(share) >= UNLIKELY)
    .slice(0, 3)
    .map(([intent, share]) => `${names[String(intent)] ?? String(intent)} ${formats.percent(Number(share))}`)
    .join(' · ');
}

/** What a step was about, in a sentence where one is known. */
function sentence({ name, details }: Step, t: Texts, formats: Formats): string | undefined {
  const c = t.conversations;
  const specialists: Record<string, string> = c.specialists;
  const special = (value: unknown) => specialists[String(value)] ?? String(value);
  switch (name) {
    case 'guard': {
      const actions: Record<string, string> = c.guardActions;
      const action = textOf(details.action);
      if (action) return actions[action] ?? action;
      return c.suspicious(Number(details.suspicious_passages ?? 0));
    }
    case 'supervisor':
      return understood(details, t, formats);
    case 'router':
      return special(details.specialist);
    case 'search':
      return c.searched(String(details.query ?? ''), Number(details.passages ?? 0));
    case 'model':
      return textOf(details.model);
    case 'hand_off':
      return `${special(details.from)} → ${special(details.to)}`;
    case 'check':
      return details.again ? c.heldAgain : c.held;
    case 'unreceived':
      return c.unreceived;
    default:
      return undefined;
  }
}

/** What is left of the details once the sentence is said, for whoever wants to know exactly. */
const SAID: Record<string, readonly string[]> = {
  guard: ['action', 'score', 'suspicious_passages'],
  supervisor: ['ranked', 'affirms', 'asks_human', 'sub', 'reasons'],
  router: ['specialist'],
  search: ['query', 'passages', 'chunks'],
  model: ['model'],
  tool: ['tool', 'arguments', 'result'],
  hand_off: ['from', 'to'],
  check: ['again'],
};

/** Every step of a turn, in the order in which it began. */
export function TurnSteps({ tenant, steps, tools }: { tenant: string; steps: Step[]; tools: Tools }) {
  const t = useTexts();
  const formats = useFormats(tenant);
  const sorted = steps.toSorted((a, b) => a.at_us - b.at_us);
  const names: Record<string, string> = t.conversations.stepNames;
  const milliseconds = (us: number) => t.conversations.milliseconds(formats.decimals(us / 1000, 1));
  return (
    <Timeline bulletSize={14} lineWidth={2} active={sorted.length} styles={{ item: { marginTop: 12 } }}>
      {sorted.map((step, at) => {
        const tool = step.name === 'tool' ? textOf(step.details.tool) : undefined;
        const known = tools.find((one) => one.name === tool)?.description;
        const told = SAID[step.name] ?? [];
        const rest = Object.entries(step.details).filter(
          ([key, value]) => !told.includes(key) && !isEmpty(value),
        );
        const given = Object.entries(step.details.arguments ?? {});
        const { result } = step.details;
        const words = sentence(step, t, formats);
        return (
          <Timeline.Item
            // biome-ignore lint/suspicious/noArrayIndexKey: a turn that was kept never changes
            key={at}
            color={step.details.error ? 'ochre' : 'teal'}
            title={
              <Group justify="space-between" wrap="nowrap" gap="xs">
                <Text size="sm" fw={600}>
                  {names[step.name] ?? step.name}
                </Text>
                <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                  {milliseconds(step.took_us)}, {t.conversations.began(milliseconds(step.at_us))}
                </Text>
              </Group>
            }
          >
            {words && (
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {words}
              </Text>
            )}
            {tool && (
              <Text size="sm">
                {known} <Code>{tool}</Code>
              </Text>
            )}
            {[...given, ...rest].map(([key, value]) => (
              <Text
                key={key}
                size="xs"
                c={key === 'error' ? undefined : 'dimmed'}
                style={{ overflowWrap: 'anywhere' }}
              >
                {key}: {typeof value === 'string' ? value : JSON.stringify(value)}
              </Text>
            ))}
            {tool && !isEmpty(result) && (
              <Text component="details" size="xs">
                <summary>{t.conversations.toolResult}</summary>
                <Code block mah={240} style={{ overflow: 'auto', whiteSpace: 'pre-wrap' }} tabIndex={0}>
                  {typeof result === 'string' ? result : JSON.stringify(result, null, 2)}
                </Code>
              </Text>
            )}
          </Timeline.Item>
        );
      })}
    </Timeline>
  );
}
