import { Box, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { ButtonLink } from '../../parts/links';
import { ListSkeleton } from '../../parts/skeletons';
import { leadOf } from '../customers/queries';
import { saidBefore } from '../why/queries';
import { MessageComposer } from './composer';
import { ThreadHeader } from './header';
import { ThreadMessages } from './messages';
import { POLL_MS } from './newest';
import { conversationOf } from './queries';
import { ChannelStrip } from './strip';
import { TurnDrawer } from './turn';

const ROUTE = '/inside/t/$tenant/conversations/$conversation';

export function ConversationPage() {
  const { tenant, conversation } = useParams({ from: ROUTE });
  // Another conversation begins afresh: what was typed, scrolled and opened belongs to one.
  return <Thread key={`${tenant} ${conversation}`} tenant={tenant} id={conversation} />;
}

function Thread({ tenant, id }: { tenant: string; id: string }) {
  const t = useTexts();
  const found = useQuery({ ...conversationOf(tenant, id), refetchInterval: POLL_MS });
  const conversation = found.data;
  const lead = useQuery({
    ...leadOf(tenant, conversation?.lead_id ?? ''),
    enabled: conversation !== undefined,
  }).data;
  const name = lead?.name ?? t.customers.unnamed;
  const [asked, setAsked] = useState<{ turn: string; message: string }>();
  useEffect(() => {
    document.title = `${name} · Quipu`;
  }, [name]);
  if (found.isError && !conversation)
    return (
      <Stack p="md">
        <FailureNotice error={found.error} again={found.refetch} />
        <ButtonLink to="/t/$tenant/conversations" params={{ tenant }} search variant="default">
          {t.conversations.back}
        </ButtonLink>
      </Stack>
    );
  if (!conversation)
    return (
      <Box p="md">
        <ListSkeleton />
      </Box>
    );
  return (
    <>
      <ThreadHeader tenant={tenant} conversation={conversation} lead={lead} name={name} />
      <ChannelStrip tenant={tenant} conversation={conversation} />
      <ThreadMessages tenant={tenant} conversation={conversation} name={name} ask={setAsked} />
      <MessageComposer tenant={tenant} conversation={conversation} name={name} />
      <TurnDrawer
        tenant={tenant}
        turn={asked?.turn}
        before={asked && (() => saidBefore(id, asked.message))}
        close={() => setAsked(undefined)}
      />
    </>
  );
}
