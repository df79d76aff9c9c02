import { Box, Button, Loader, VisuallyHidden } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { ListSkeleton } from '../../parts/skeletons';
import { useFormats } from '../customers/formats';
import { conversationChannelOf } from './channel';
import { useDeliveries } from './deliveries';
import styles from './inbox.module.css';
import { ThreadLine } from './line';
import { useNames } from './names';
import { useNewest } from './newest';
import { conversationsKey, historyOf, loadNewMessages, messagesOf, newestFirst } from './queries';
import { type ThreadRow, threadRows } from './timeline';

/** How near the beginning of what is loaded somebody must be for more to be loaded. */
const NEAR = 15;
/** How near the end counts as reading it. */
const FOLLOWS = 80;

const guess = (row: ThreadRow | undefined) =>
  row?.kind === 'message' ? 60 + 24 * Math.ceil(row.message.text.length / 60) : 40;

/** What was said, newest at the bottom. Only what is in sight is drawn, however long it is. */
export function ThreadMessages({
  tenant,
  conversation,
  name,
  ask,
}: {
  tenant: string;
  conversation: Schemas['Conversation'];
  name: string;
  ask: (asked: { turn: string; message: string }) => void;
}) {
  const t = useTexts();
  const formats = useFormats(tenant);
  const names = useNames(tenant, name);
  const options = messagesOf(tenant, conversation.id);
  const list = useInfiniteQuery(options);
  const history = useQuery(historyOf(tenant, conversation)).data;
  const channel = useQuery(conversationChannelOf(tenant, conversation.id)).data;
  const deliveries = useDeliveries(tenant, conversation.id, channel != null);
  useNewest({
    listKey: options.queryKey,
    newestKey: [...conversationsKey(tenant), 'newest messages', conversation.id],
    load: () => loadNewMessages(conversation.id),
    compare: newestFirst,
    enabled: list.isSuccess,
  });
  const messages = useMemo(() => list.data?.pages.flatMap((page) => page.data) ?? [], [list.data]);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  const rows = useMemo(
    () => threadRows(messages, history ?? [], !hasNextPage, formats),
    [messages, history, hasNextPage, formats],
  );
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (at) => rows[at]?.key ?? at,
    estimateSize: (at) => guess(rows[at]),
    overscan: 8,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: FOLLOWS,
    paddingStart: 12,
    paddingEnd: 12,
  });
  const shown = virtual.getVirtualItems();
  const first = shown[0]?.index ?? 0;
  const [settled, setSettled] = useState(false);
  const ready = list.isSuccess;
  useLayoutEffect(() => {
    if (!ready || settled) return;
    virtual.scrollToEnd();
    // Before it stands at its end, the beginning is in sight and would be taken for where somebody reads.
    const soon = setTimeout(() => setSettled(true), 100);
    return () => clearTimeout(soon);
  }, [ready, settled, virtual]);
  useEffect(() => {
    if (settled && first < NEAR && hasNextPage && !isFetchingNextPage && !isFetchNextPageError)
      void fetchNextPage();
  }, [settled, first, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  // Where a keyboard opens or a field grows, whoever read the end goes on reading it.
  const atEnd = useRef(true);
  useEffect(() => {
    const element = scroller.current;
    if (!ready || !element) return;
    const follow = () => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < FOLLOWS;
    };
    let height = element.clientHeight;
    const watch = new ResizeObserver(() => {
      if (atEnd.current && element.clientHeight !== height) virtual.scrollToEnd();
      height = element.clientHeight;
    });
    element.addEventListener('scroll', follow, { passive: true });
    watch.observe(element);
    return () => {
      element.removeEventListener('scroll', follow);
      watch.disconnect();
    };
  }, [ready, virtual]);
  const newest = messages[0];
  if (list.isPending)
    return (
      <Box p="md" flex={1}>
        <ListSkeleton />
      </Box>
    );
  if (list.isError && messages.length === 0)
    return (
      <Box p="md" flex={1}>
        <FailureNotice error={list.error} again={list.refetch} />
      </Box>
    );
  return (
    <Box pos="relative" flex={1} mih={0} display="flex">
      <Box
        ref={scroller}
        className={`${styles.scroller} ${styles.chat}`}
        role="region"
        aria-label={t.conversations.thread(name)}
        tabIndex={0}
        px="sm"
      >
        <Box h={virtual.getTotalSize()} pos="relative">
          {shown.map((item) => {
            const row = rows[item.index];
            if (!row) return null;
            return (
              <Box
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                pos="absolute"
                top={0}
                w="100%"
                pb={8}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <ThreadLine
                  row={row}
                  delivery={row.kind === 'message' ? deliveries.get(row.message.id) : undefined}
                  formats={formats}
                  names={names}
                  ask={ask}
                />
              </Box>
            );
          })}
        </Box>
      </Box>
      {isFetchingNextPage && (
        <Loader
          size="sm"
          pos="absolute"
          top={8}
          left="50%"
          aria-label={t.conversations.loadingOlder}
          role="status"
        />
      )}
      {isFetchNextPageError && (
        <Button size="xs" variant="default" pos="absolute" top={8} left={12} onClick={() => fetchNextPage()}>
          {t.conversations.olderFailed}
        </Button>
      )}
      {settled && !virtual.isAtEnd(200) && (
        <Button
          size="xs"
          variant="default"
          pos="absolute"
          bottom={8}
          right={16}
          onClick={() => virtual.scrollToEnd()}
        >
          {t.conversations.toEnd}
        </Button>
      )}
      {/* Only what arrives is read out, not what comes into sight. */}
      <VisuallyHidden aria-live="polite" role="status">
        {settled && newest ? `${names(newest.author)}: ${newest.text}` : ''}
      </VisuallyHidden>
    </Box>
  );
}
