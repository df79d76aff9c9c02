import { Badge, Blockquote, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
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
  /** What it answered before, where that did not help: the same again is no better. */
  before?: string | undefined;
  settled: () => void;
};

/** Asks the agent what it could not answer, until it can. */
export function AskedAgain({ agent, question, before, settled }: Props) {
  const t = useTexts();
  const knows = (answer: Answer | undefined) =>
    answer?.grounded === true && answer.message.content !== before;
  const asked = useQuery({
    queryKey: ['asked-again', agent, question],
    queryFn: () =>
      told(
        api.POST('/api/agents/{agent}/chat', {
          params: { path: { agent } },
          body: { messages: [{ role: 'user', content: question }], stream: false, draft: false },
        }),
      ) as Promise<Answer>,
    gcTime: 0,
    refetchInterval: ({ state }) =>
      state.data && !knows(state.data) && state.dataUpdateCount < ATTEMPTS ? WAIT_MS : false,
  });
  const known = knows(asked.data);
  useEffect(() => settled, [settled]);
  return (
    <Stack gap="xs" aria-live="polite">
      <Group gap="xs">
        <Title order={3} size="h5">
          {t.gaps.again}
        </Title>
        {asked.isFetching && <Loader size="xs" aria-label={t.gaps.asking} />}
        {asked.isSuccess && (
          <Badge variant="light" color={known ? 'teal' : 'ochre'} tt="none">
            {known ? t.gaps.nowKnown : t.gaps.stillUnknown}
          </Badge>
        )}
      </Group>
      {asked.isError && <FailureNotice error={asked.error} again={asked.refetch} />}
      {asked.data && (
        <Blockquote p="sm" fz="sm" color={known ? 'teal' : 'gray'}>
          <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            {asked.data.message.content}
          </Text>
        </Blockquote>
      )}
    </Stack>
  );
}
