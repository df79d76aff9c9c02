import { Badge, Blockquote, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import type { Answer } from './queries';

/** A new answer is searchable after a moment; so often the agent is asked before it counts as unknown. */
const ATTEMPTS = 5;
const WAIT_MS = 1_500;

type Props = {
  agent: string;
  question: string;
  /** How often an answer was written: each is asked for anew. */
  round: number;
  /** What it answered before, where that did not help: the same again is no better. */
  before?: string | undefined;
};

const ask = (agent: string, question: string, signal: AbortSignal) =>
  told(
    api.POST('/api/agents/{agent}/chat', {
      params: { path: { agent } },
      body: { messages: [{ role: 'user', content: question }], stream: false, draft: false },
      signal,
    }),
    // What is not streamed comes as one answer.
  ) as Promise<Answer>;

/** Asks the agent what it could not answer, until it can. */
export function AskedAgain({ agent, question, round, before }: Props) {
  const t = useTexts();
  const knows = (answer: Answer) => answer.grounded && answer.message.content !== before;
  const asked = useQuery({
    queryKey: ['asked-again', agent, question, round],
    queryFn: async ({ signal }) => {
      for (let attempt = 1; ; attempt += 1) {
        const answer = await ask(agent, question, signal);
        if (knows(answer) || attempt === ATTEMPTS) return answer;
        await new Promise((later) => setTimeout(later, WAIT_MS));
        signal.throwIfAborted();
      }
    },
    gcTime: 0,
    // Nobody asks once more by looking elsewhere meanwhile.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const known = asked.data && knows(asked.data);
  return (
    <Stack gap="xs" aria-live="polite">
      <Group gap="xs">
        <Title order={3} size="h5">
          {t.gaps.again}
        </Title>
        {asked.isFetching && (
          <>
            <Loader size="xs" aria-hidden />
            <Text size="sm" c="dimmed">
              {t.gaps.asking}
            </Text>
          </>
        )}
        {asked.data && !asked.isFetching && (
          <Badge variant="light" color={known ? 'teal' : 'ochre'} tt="none">
            {known ? t.gaps.nowKnown : t.gaps.stillUnknown}
          </Badge>
        )}
      </Group>
      {asked.isError && <FailureNotice error={asked.error} again={asked.refetch} />}
      {asked.data && !asked.isFetching && (
        <>
          <Blockquote p="sm" fz="sm" color={known ? 'teal' : 'gray'}>
            <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
              {asked.data.message.content}
            </Text>
          </Blockquote>
          {!known && (
            <Text size="sm" c="dimmed">
              {t.gaps.improve}
            </Text>
          )}
        </>
      )}
    </Stack>
  );
}
