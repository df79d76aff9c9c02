import { queryOptions } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError, api, type Schemas, told } from '../../api/client';
import type { Texts } from '../../i18n';
import type { Formats } from '../customers/formats';
import { conversationsKey } from './queries';

export type ConversationChannel = Schemas['ConversationChannel'];

/** Through what a conversation reaches its customer; nothing where that is no connected channel. */
export const conversationChannelOf = (tenant: string, id: string) =>
  queryOptions({
    queryKey: [...conversationsKey(tenant), 'channel', id] as const,
    queryFn: async (): Promise<ConversationChannel | null> => {
      const params = { path: { conversation_id: id } };
      try {
        return await told(api.GET('/api/v1/conversations/{conversation_id}/channel', { params }));
      } catch (error) {
        if (error instanceof ApiError && error.code === 'CHANNEL_NOT_CONNECTED') return null;
        throw error;
      }
    },
  });

/** The time, again and again. */
export function useNow(every: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Whether words of one's own choice reach the customer, and until when; nothing where that never ends. */
export function windowText(
  { open, open_until: until }: ConversationChannel,
  now: number,
  formats: Formats,
  t: Texts,
): string | undefined {
  const words = t.channels.thread;
  if (!open) return words.closed;
  if (!until) return undefined;
  // People may write for longer than agents on some channels.
  if (Date.parse(until) <= now) return words.openPeople;
  const day = formats.day(until);
  const isOn = (ms: number) => formats.day(new Date(ms).toISOString()) === day;
  if (isOn(now)) return words.openUntil(formats.clock(until));
  return isOn(now + DAY_MS) ? words.openTomorrow(formats.clock(until)) : words.openDate(formats.full(until));
}

/** In how long the agent answers again by itself. */
export function returnText(at: string, now: number, t: Texts): string {
  const words = t.channels.thread;
  const left = Date.parse(at) - now;
  if (left <= 0) return words.returnsNow;
  if (left < 60_000) return words.returnsSoon;
  const minutes = Math.ceil(left / 60_000);
  if (minutes < 60) return words.returnsIn(words.minutes(minutes));
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return words.returnsIn(words.hours(hours, minutes % 60));
  return words.returnsIn(words.days(Math.floor(hours / 24), hours % 24));
}
