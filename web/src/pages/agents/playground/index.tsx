import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import type { SavedAgent } from '../queries';
import { AttemptBubble, QuestionBubble } from './bubbles';
import { useTalk } from './chat';

/** A conversation with an agent that nobody else sees. */
export function Playground({ tenant, agent }: { tenant: string; agent: SavedAgent }) {
  const t = useTexts();
  const talk = useTalk(tenant, agent.id);
  const [typed, setTyped] = useState('');
  const send = () => {
    const text = typed.trim();
    if (!text || talk.writing) return;
    setTyped('');
    talk.ask(text);
  };
  return (
    <Stack maw={860}>
      <Stack gap="sm" role="log" aria-live="polite" aria-busy={talk.writing}>
        {talk.exchanges.length === 0 && (
          <div>
            <Text c="dimmed">{t.agents.hello}</Text>
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
                number={exchange.attempts.length > 1 ? at + 1 : undefined}
                again={at === exchange.attempts.length - 1 ? () => talk.askAgain(exchange) : undefined}
                busy={talk.writing}
              />
            ))}
            {talk.failure?.exchange === exchange.key && (
              <FailureNotice error={talk.failure.error} again={() => talk.askAgain(exchange)} />
            )}
          </Stack>
        ))}
      </Stack>
      <form
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
          <Button type="submit" disabled={talk.writing}>
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
