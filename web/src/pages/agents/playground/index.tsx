import { Button, Group, Stack, Switch, Text, Textarea } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import type { SavedAgent } from '../queries';
import { AttemptBubble, QuestionBubble } from './bubbles';
import { before, useTalk } from './chat';
import { useWhom, WhomField } from './whom';

/** A conversation with an agent: as nobody, which is only tried, or as a customer, for whom it acts. */
export function Playground({ tenant, agent }: { tenant: string; agent: SavedAgent }) {
  const t = useTexts();
  const [wanted, setWanted] = useState(true);
  const { whom, speakAs } = useWhom(tenant, agent.id);
  const lead = whom.known ? whom.lead : undefined;
  // No customer hears a draft.
  const draft = wanted && !whom.known && agent.draft != null;
  const talk = useTalk(tenant, agent.id, { lead: lead?.id, draft });
  const nobodyChosen = whom.known && !lead;
  const [typed, setTyped] = useState('');
  const send = () => {
    const text = typed.trim();
    if (!text || talk.writing || nobodyChosen) return;
    setTyped('');
    talk.ask(text);
  };
  const form = useRef<HTMLFormElement>(null);
  const last = talk.exchanges.at(-1);
  const shown = last?.attempts.at(-1)?.text.length;
  // Whoever asks sees the answer while it is written, and where to ask next.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these makes the page longer.
  useEffect(() => {
    if (last) form.current?.scrollIntoView({ block: 'nearest' });
  }, [last, shown, talk.writing]);
  return (
    <Stack maw={860}>
      <WhomField
        tenant={tenant}
        agent={agent.id}
        whom={whom}
        speakAs={speakAs}
        conversation={talk.conversation ?? undefined}
        drafted={agent.draft != null}
        disabled={talk.writing}
      />
      {agent.draft && !whom.known && (
        <Switch
          label={t.versions.tryDraft}
          description={t.versions.tryDraftHelp}
          checked={wanted}
          onChange={(event) => setWanted(event.currentTarget.checked)}
        />
      )}
      <Stack gap="sm" role="log" aria-live="polite" aria-busy={talk.writing}>
        {talk.exchanges.length === 0 && (
          <div>
            <Text c="dimmed">{nobodyChosen ? t.why.choose : t.agents.hello}</Text>
            <Text c="dimmed" size="sm">
              {t.agents.helloKeys}
            </Text>
          </div>
        )}
        {talk.exchanges.map((exchange) => (
          <Stack key={exchange.key} gap="sm">
            <QuestionBubble text={exchange.question} />
            {exchange.attempts.map((attempt, at) => (
              <AttemptBubble
                key={attempt.key}
                tenant={tenant}
                agent={agent}
                attempt={attempt}
                draft={draft}
                before={() => [
                  ...before(talk.exchanges, exchange.key),
                  { role: 'user', content: exchange.question },
                ]}
                number={exchange.attempts.length > 1 ? at + 1 : undefined}
                again={at === exchange.attempts.length - 1 ? () => talk.askAgain(exchange) : undefined}
                busy={talk.writing}
              />
            ))}
            {talk.failure?.exchange === exchange.key && (
              <FailureNotice error={talk.failure.error} again={() => talk.retry(exchange)} />
            )}
          </Stack>
        ))}
      </Stack>
      <form
        ref={form}
        style={{ scrollMarginBlock: 'var(--mantine-spacing-md)' }}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Group align="flex-end" gap="xs">
          <Textarea
            aria-label={t.agents.say}
            placeholder={t.agents.say}
            autosize
            maxRows={6}
            flex="1 1 220px"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
                event.preventDefault();
                send();
              }
            }}
          />
          <Button type="submit" disabled={talk.writing || nobodyChosen}>
            {t.agents.send}
          </Button>
          {talk.writing ? (
            <Button variant="default" onClick={talk.stop}>
              {t.agents.stop}
            </Button>
          ) : (
            <Button variant="default" onClick={talk.restart} disabled={talk.exchanges.length === 0}>
              {t.agents.restart}
            </Button>
          )}
        </Group>
      </form>
    </Stack>
  );
}
