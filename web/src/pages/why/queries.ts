import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../api/client';

export type Spoken = { role: 'user' | 'assistant'; content: string };

export const documentOf = (tenant: string, kb: string, document: string) =>
  queryOptions({
    queryKey: [tenant, 'bases', kb, 'documents', 'one', document],
    queryFn: () => loadDocument(kb, document),
  });

const loadDocument = (kb: string, document: string): Promise<Schemas['Document']> =>
  told(
    api.GET('/api/v1/knowledge-bases/{kb_id}/documents/{document_id}', {
      params: { path: { kb_id: kb, document_id: document } },
    }),
  );

/** How long a document that was just changed is waited for, and how often it is looked at. */
const PATIENCE = 20;
const PAUSE_MS = 1_000;

/** Waits until a document that was changed can be found as it is now; one that is gone is not waited for. */
export async function settled({ knowledge_base_id, document_id }: Schemas['Citation']): Promise<void> {
  for (let look = 0; look < PATIENCE; look += 1) {
    const document = await loadDocument(knowledge_base_id, document_id).catch(() => undefined);
    if (!document || (document.status !== 'pending' && document.status !== 'processing')) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** How much of what was said before a question is told with it. */
const REMEMBERED = 20;

/** What was said in a conversation before an answer, oldest first, the question last. */
export async function saidBefore(conversation: string, message: string): Promise<Spoken[]> {
  const page = await told(
    api.GET('/api/v1/conversations/{conversation_id}/messages', {
      params: { path: { conversation_id: conversation }, query: { limit: REMEMBERED, cursor: message } },
    }),
  );
  return page.data
    .toReversed()
    .filter(({ role }) => role !== 'system' && role !== 'note')
    .map(({ role, text }) => ({ role: role === 'user' ? 'user' : 'assistant', content: text }));
}

/** Asks as nobody in particular, so that nothing is booked, ordered or kept. */
export const askAsNobody = (agent: string, messages: Spoken[], draft: boolean) =>
  told(
    api.POST('/api/agents/{agent}/chat', {
      params: { path: { agent } },
      body: { messages, stream: false, draft },
    }),
    // What is not streamed comes as one answer.
  ) as Promise<Schemas['ChatAnswer']>;
