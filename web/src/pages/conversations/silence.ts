import { useInfiniteQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { messagesOf } from './queries';

/** Networks that deliver no free text once their customer has been silent for a day. */
const WINDOWED: readonly Schemas['Channel'][] = ['whatsapp', 'instagram', 'messenger'];
const WINDOW_MS = 24 * 60 * 60 * 1000;

/** Whether the network may refuse what is written now. */
export function useSilence(tenant: string, { id, channel }: Schemas['Conversation']): boolean {
  const pages = useInfiniteQuery(messagesOf(tenant, id)).data?.pages;
  if (!pages || !WINDOWED.includes(channel)) return false;
  for (const page of pages) {
    const said = page.data.find((message) => message.role === 'user');
    if (said) return Date.now() - Date.parse(said.created_at) > WINDOW_MS;
  }
  return false;
}
