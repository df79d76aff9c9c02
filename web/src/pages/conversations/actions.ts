import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { done, failed } from '../../parts/notify';
import { conversationOf, conversationsKey, learnedKey, pagesKey, proposalsOf } from './queries';

export type ThreadAction =
  | { kind: 'take' }
  | { kind: 'release' }
  | { kind: 'request'; reason: string }
  | { kind: 'status'; status: Schemas['ConversationStatus'] };

function send(id: string, action: ThreadAction): Promise<Schemas['Conversation']> {
  const params = { path: { conversation_id: id } };
  switch (action.kind) {
    case 'take':
      return told(api.POST('/api/v1/conversations/{conversation_id}/handoff/take', { params }));
    case 'release':
      return told(api.POST('/api/v1/conversations/{conversation_id}/handoff/release', { params }));
    case 'request': {
      const body = { reason: action.reason };
      return told(api.POST('/api/v1/conversations/{conversation_id}/handoff/request', { params, body }));
    }
    case 'status': {
      const body = { status: action.status };
      return told(api.PATCH('/api/v1/conversations/{conversation_id}', { params, body }));
    }
  }
}

/**
 * Changes who answers or whether a conversation is open; `learned` is called when something can be learned
 * from it, and is not there for whoever may not decide about that.
 */
export function useThreadAction(tenant: string, id: string, learned: (() => void) | undefined) {
  const t = useTexts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (action: ThreadAction) => send(id, action),
    onSuccess: async (conversation, action) => {
      queries.setQueryData(conversationOf(tenant, id).queryKey, conversation);
      // Who answers shows in the thread; a closed conversation may leave the list unseen.
      if (action.kind === 'status') done(t.conversations.acted[action.status]);
      void queries.invalidateQueries({ queryKey: pagesKey(tenant) });
      void queries.invalidateQueries({ queryKey: [...conversationsKey(tenant), 'lead'] });
      const ends = action.kind === 'release' || (action.kind === 'status' && action.status === 'closed');
      if (!ends || !learned) return;
      await queries.invalidateQueries({ queryKey: learnedKey(tenant) });
      // What cannot be read now has no bearing on what was done.
      const found = await queries.fetchInfiniteQuery(proposalsOf(tenant)).catch(() => undefined);
      const proposed = found?.pages.flatMap((page) => page.data) ?? [];
      if (proposed.some((one) => one.conversation_id === id)) learned();
    },
    onError: (error) => {
      failed(error);
      // Somebody else may have been faster.
      void queries.invalidateQueries({ queryKey: conversationOf(tenant, id).queryKey });
    },
  });
}
