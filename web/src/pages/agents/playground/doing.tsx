import { Badge, Code, Group, Text } from '@mantine/core';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { useFormats } from '../../customers/formats';
import { Problem } from './problem';
import { listOf, textOf, type ViewProps } from './props';
import { isEmpty, MoreView, ResultView, ValueView } from './values';

export function ToolView({ details, tools }: ViewProps) {
  const t = useTexts();
  const name = textOf(details.tool) ?? '';
  const tool = tools.find((one) => one.name === name);
  return (
    <>
      <Group gap={6}>
        <Code>{name}</Code>
        {tool && (
          <Badge size="sm" variant="light" tt="none" color={tool.access === 'write' ? 'ochre' : 'teal'}>
            {tool.access === 'write' ? t.agents.write : t.agents.read}
          </Badge>
        )}
      </Group>
      {tool && (
        <Text size="xs" c="dimmed">
          {tool.description}
        </Text>
      )}
      {isEmpty(details.arguments) ? (
        <Text size="xs" c="dimmed">
          {t.agents.nothingGiven}
        </Text>
      ) : (
        <div>
          <Text size="xs" fw={600}>
            {t.agents.given}
          </Text>
          <Text size="xs" component="div">
            <ValueView value={details.arguments} />
          </Text>
        </div>
      )}
      {!isEmpty(details.result) && (
        <MoreView label={t.agents.result}>
          <ResultView value={details.result} />
        </MoreView>
      )}
    </>
  );
}

export function ModelView({ tenant, details }: ViewProps) {
  const t = useTexts();
  const { count } = useFormats(tenant);
  const usage = (details.usage ?? {}) as Schemas['Usage'];
  const finished: Record<string, string> = t.agents.finished;
  const reason = textOf(details.finished);
  const cached = usage.cached_input_tokens ?? 0;
  const facts = [
    t.agents.messagesSent(Number(details.messages ?? 0)),
    ...(details.usage
      ? [t.agents.usage(count(usage.input_tokens ?? 0), count(usage.output_tokens ?? 0))]
      : []),
    ...(cached > 0 ? [t.agents.cached(count(cached))] : []),
    ...(reason ? [finished[reason] ?? reason] : []),
  ];
  const skipped = listOf(details.skipped) as { model: string; error: string }[];
  return (
    <>
      <Code style={{ alignSelf: 'flex-start' }}>{String(details.model ?? '')}</Code>
      <Text size="xs" c="dimmed">
        {facts.join(' · ')}
      </Text>
      {skipped.length > 0 && (
        <Problem>
          {t.agents.skipped}: {skipped.map(({ model, error }) => `${model} (${error})`).join(', ')}
        </Problem>
      )}
    </>
  );
}

export function CheckView({ details }: ViewProps) {
  const t = useTexts();
  return (
    <>
      <Problem>
        {t.agents.heldBack}: {listOf(details.held).join(', ')}
      </Problem>
      {details.again === true && <Text size="sm">{t.agents.writtenAgain}</Text>}
    </>
  );
}

export function FallbackView({ details }: ViewProps) {
  const t = useTexts();
  const whys: Record<string, string> = t.agents.fallbackWhys;
  const why = textOf(details.why);
  return (
    <>
      {why && <Text size="sm">{whys[why] ?? why}</Text>}
      {listOf(details.about).length > 0 && <Problem>{listOf(details.about).join(', ')}</Problem>}
    </>
  );
}

export function MisconfiguredView({ details }: ViewProps) {
  return (
    <>
      <Code style={{ alignSelf: 'flex-start' }}>{String(details.model ?? '')}</Code>
      <Problem>{String(details.message ?? details.code ?? '')}</Problem>
    </>
  );
}

export function UnreceivedView() {
  return <Text size="sm">{useTexts().conversations.unreceived}</Text>;
}
