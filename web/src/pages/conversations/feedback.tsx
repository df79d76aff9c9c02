import { Button, Group, Paper, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas, told } from '../../api/client';
import { me } from '../../api/session';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { useGuard } from '../../parts/guard';
import { done } from '../../parts/notify';
import { useFormats } from '../customers/formats';
import { useNames } from './names';
import { turnOf } from './queries';

/** What people made of an answer, and what the reader makes of it. */
export function TurnFeedback({ tenant, turn }: { tenant: string; turn: Schemas['TurnDetails'] }) {
  const t = useTexts();
  const formats = useFormats(tenant);
  const names = useNames(tenant);
  const queries = useQueryClient();
  const self = useQuery(me).data?.user.id;
  const own = turn.feedback.find((one) => one.author === `user:${self}`);
  const [reason, setReason] = useState(own?.reason ?? '');
  const [asking, setAsking] = useState(false);
  useGuard(asking && reason !== (own?.reason ?? ''));
  const saying = useMutation({
    mutationFn: (helpful: boolean) =>
      told(
        api.PUT('/api/v1/turns/{turn_id}/feedback', {
          params: { path: { turn_id: turn.id } },
          body: { helpful, reason: (!helpful && reason.trim()) || null },
        }),
      ),
    onSuccess: async () => {
      setAsking(false);
      done(t.conversations.thanks);
      await queries.invalidateQueries({ queryKey: turnOf(tenant, turn.id).queryKey });
    },
  });
  return (
    <Paper withBorder p="sm">
      <Stack gap="xs">
        <Group justify="space-between">
          <Text size="sm" fw={600}>
            {t.conversations.didItHelp}
          </Text>
          <Group gap="xs">
            <Button
              size="xs"
              variant={own?.helpful ? 'filled' : 'default'}
              aria-pressed={own?.helpful === true}
              loading={saying.isPending && saying.variables}
              onClick={() => saying.mutate(true)}
            >
              {t.conversations.helped}
            </Button>
            <Button
              size="xs"
              variant={own?.helpful === false ? 'filled' : 'default'}
              color={own?.helpful === false ? 'ochre.8' : undefined}
              aria-pressed={own?.helpful === false}
              aria-expanded={asking}
              onClick={() => setAsking(true)}
            >
              {t.conversations.didNotHelp}
            </Button>
          </Group>
        </Group>
        {asking && (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              saying.mutate(false);
            }}
          >
            <Stack gap="xs">
              <Textarea
                label={t.conversations.whatWasWrong}
                autosize
                maxLength={1000}
                value={reason}
                onChange={(event) => setReason(event.currentTarget.value)}
                data-autofocus
              />
              <Button type="submit" size="xs" loading={saying.isPending} style={{ alignSelf: 'flex-start' }}>
                {t.common.save}
              </Button>
            </Stack>
          </form>
        )}
        {saying.isError && <FailureNotice error={saying.error} />}
        {turn.feedback.map((one) => (
          <Text key={one.author} size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {names(one.author)}: {one.helpful ? t.conversations.helped : t.conversations.didNotHelp}
            {one.reason && ` · ${one.reason}`} · {formats.full(one.updated_at)}
          </Text>
        ))}
      </Stack>
    </Paper>
  );
}
