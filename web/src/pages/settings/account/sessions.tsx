import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { done, failed } from '../../../parts/notify';
import { ListSkeleton } from '../../../parts/skeletons';
import { useFormats } from '../formats';
import { ask } from '../parts/dialog';
import { sessions } from '../queries';
import { deviceOf } from './device';

type Session = Schemas['Session'];

const STEP = 10;

/** Where somebody is signed in, the place they look from first. */
export function SessionList({ tenant }: { tenant: string }) {
  const t = useTexts();
  const queries = useQueryClient();
  const [shown, setShown] = useState(STEP);
  const list = useQuery(sessions);
  const again = () => queries.invalidateQueries({ queryKey: sessions.queryKey });
  const end = (id: string) =>
    told(api.DELETE('/api/v1/auth/sessions/{session_id}', { params: { path: { session_id: id } } }));
  const ending = useMutation({ mutationFn: end, onSettled: again, onError: failed });
  const others = list.data?.filter((session) => !session.current) ?? [];
  const clearing = useMutation({
    mutationFn: async () => {
      for (const session of others) await end(session.id);
    },
    onSuccess: () => done(t.settings.account.othersEnded),
    onSettled: again,
    onError: failed,
  });
  const askEnd = () =>
    ask({
      title: t.settings.account.endOthers,
      text: t.settings.account.endOthersText(others.length),
      confirm: t.settings.account.endOthers,
      danger: true,
      act: () => clearing.mutate(),
    });
  const ordered = [...(list.data?.filter((session) => session.current) ?? []), ...others];
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {t.settings.account.sessions}
        </Title>
        {others.length > 0 && (
          <Button size="xs" variant="default" onClick={askEnd} loading={clearing.isPending}>
            {t.settings.account.endOthers}
          </Button>
        )}
      </Group>
      {list.isPending && <ListSkeleton rows={2} />}
      {list.isError && <FailureNotice error={list.error} again={list.refetch} />}
      <Stack gap="xs">
        {ordered.slice(0, shown).map((session) => (
          <SessionRow
            key={session.id}
            tenant={tenant}
            session={session}
            end={() => ending.mutate(session.id)}
            ending={ending.isPending && ending.variables === session.id}
          />
        ))}
        {ordered.length > shown && (
          <Button variant="default" size="xs" onClick={() => setShown(shown + STEP)}>
            {t.common.more}
          </Button>
        )}
      </Stack>
    </Paper>
  );
}

function SessionRow({
  tenant,
  session,
  end,
  ending,
}: {
  tenant: string;
  session: Session;
  end: () => void;
  ending: boolean;
}) {
  const t = useTexts();
  const { date } = useFormats(tenant);
  const device = deviceOf(session.user_agent) ?? t.settings.account.unknownDevice;
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <div>
        <Group gap="xs">
          <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
            {device}
          </Text>
          {session.current && (
            <Badge variant="light" size="sm">
              {t.settings.account.thisOne}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {t.settings.account.since(date(session.created_at))} ·{' '}
          {t.settings.account.until(date(session.expires_at))}
        </Text>
      </div>
      {!session.current && (
        <Button
          size="compact-sm"
          variant="subtle"
          flex="none"
          onClick={end}
          loading={ending}
          aria-label={t.settings.account.endOf(device)}
        >
          {t.settings.account.end}
        </Button>
      )}
    </Group>
  );
}
