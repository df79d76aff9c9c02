import { useMutation, useQueryClient } from '@tanstack/react-query';
import { conversationChannelOf } from './channel';
import { forgetSent } from './drafts';
import { withNewest } from './newest';
import {
  conversationsKey,
  type Message,
  messagesOf,
  newestFirst,
  sendMessage,
  type Written,
} from './queries';

/** Sends what was written, and shows at once whatever was sent in a conversation. */
export function useSending(tenant: string, id: string) {
  const queries = useQueryClient();
  const add = (message: Message) =>
    queries.setQueryData(messagesOf(tenant, id).queryKey, (known) => {
      const first = known?.pages[0];
      if (!known || !first) return known;
      const newest = { data: [message, ...first.data], next_cursor: first.next_cursor };
      return withNewest(known, newest, newestFirst);
    });
  const sending = useMutation({
    mutationFn: (written: Written) => sendMessage(id, written),
    onSuccess: (message, written) => {
      forgetSent(id, written);
      add(message);
      void queries.invalidateQueries({ queryKey: conversationsKey(tenant) });
    },
    // The window may have closed while somebody wrote.
    onError: () => void queries.invalidateQueries({ queryKey: conversationChannelOf(tenant, id).queryKey }),
  });
  return { add, sending };
}
