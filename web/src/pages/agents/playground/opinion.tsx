import { ActionIcon, Button, Group, Stack, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ApiError, api, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { done } from '../../../parts/notify';

/** Says whether an answer helped, and why, beside what else can be done with it. */
export function AnswerOpinion({ turn, children }: { turn: string; children: ReactNode }) {
  const t = useTexts();
  const queries = useQueryClient();
  const [helpful, setHelpful] = useState<boolean>();
  const [reason, setReason] = useState('');
  const [asking, setAsking] = useState(false);
  const saying = useMutation({
    mutationFn: (opinion: { helpful: boolean; reason: string | null }) =>
      told(
        api.PUT('/api/v1/turns/{turn_id}/feedback', { params: { path: { turn_id: turn } }, body: opinion }),
      ),
    // A turn is written down a moment after it was answered.
    retry: (failures, error) => error instanceof ApiError && error.status === 404 && failures < 5,
    retryDelay: 500,
    onSuccess: async (_, opinion) => {
      setHelpful(opinion.helpful);
      done(t.agents.noted);
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey.at(-1) === turn });
    },
  });
  const choose = (good: boolean) => {
    setAsking(true);
    saying.mutate({ helpful: good, reason: reason.trim() || null });
  };
  const thumb = (good: boolean) => {
    const chosen = helpful === good;
    return (
      <ActionIcon
        variant={chosen ? 'filled' : 'subtle'}
        color={chosen ? 'teal' : 'gray'}
        aria-label={good ? t.agents.helped : t.agents.didNotHelp}
        title={good ? t.agents.helped : t.agents.didNotHelp}
        aria-pressed={chosen}
        loading={saying.isPending && saying.variables.helpful === good}
        onClick={() => choose(good)}
      >
        <Thumb up={good} />
      </ActionIcon>
    );
  };
  return (
    <Stack gap="xs" mt="xs" aria-live="off">
      <Group gap={4}>
        {children}
        <Group gap={4} ml="auto" wrap="nowrap">
          {thumb(true)}
          {thumb(false)}
        </Group>
      </Group>
      {saying.isError && <FailureNotice error={saying.error} />}
      {asking && helpful !== undefined && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            saying.mutate({ helpful, reason: reason.trim() || null }, { onSuccess: () => setAsking(false) });
          }}
        >
          <Group align="flex-end" gap="xs">
            <Textarea
              label={t.agents.reason}
              autosize
              maxRows={6}
              maxLength={1000}
              flex="1 1 200px"
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
            <Button type="submit" variant="default" loading={saying.isPending}>
              {t.agents.saveOpinion}
            </Button>
          </Group>
        </form>
      )}
    </Stack>
  );
}

function Thumb({ up }: { up: boolean }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path
        transform={up ? undefined : 'rotate(180 12 12)'}
        d="M14 9V5a3 3 0 0 0-3-3l-4 9v11h11.3a2 2 0 0 0 2-1.7l1.4-9a2 2 0 0 0-2-2.3zM7 22H4a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2h3"
      />
    </svg>
  );
}
