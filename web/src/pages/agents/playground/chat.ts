import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, api, errorOf, type Schemas, told, unreachable } from '../../../api/client';
import { events } from '../../../api/stream';
import type { Spoken } from '../../why/queries';

export type Answer = Schemas['ChatAnswer'];
export type Attempt = {
  key: string;
  text: string;
  tools: string[];
  answer?: Answer;
  stopped?: boolean;
  /** Asked as nobody in the talk of a customer, so that nothing is done twice. */
  tried?: boolean;
};
/** A question and what was answered, once for each time it was asked. */
export type Exchange = { key: string; question: string; attempts: Attempt[] };
/** Who asks: a customer, or nobody, who may be answered by a draft. */
type Asking = { lead: string | undefined; draft: boolean };

const talkKey = (tenant: string, agent: string, lead: string | undefined) => [
  tenant,
  'playground',
  agent,
  'talk',
  lead ?? 'nobody',
];

/** What was said before a question, each answer as it was given last. */
export function before(exchanges: Exchange[], question: string): Spoken[] {
  const said = exchanges.slice(
    0,
    exchanges.findIndex((one) => one.key === question),
  );
  return said.flatMap((one) => {
    const text = one.attempts.at(-1)?.text;
    return text
      ? [
          { role: 'user' as const, content: one.question },
          { role: 'assistant' as const, content: text },
        ]
      : [];
  });
}

async function* answered(
  agent: string,
  key: string,
  messages: Spoken[],
  asking: Asking,
  signal: AbortSignal,
) {
  // What a customer said before is remembered where they say it.
  const whose = asking.lead
    ? { messages: messages.slice(-1), lead_id: asking.lead, channel: 'web' }
    : { messages, ...(asking.draft ? { draft: true } : {}) };
  const init = {
    method: 'POST',
    body: JSON.stringify({ ...whose, stream: true }),
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    signal,
  };
  for await (const event of events(`/api/agents/${agent}/chat`, init)) {
    yield { name: event.event, data: JSON.parse(event.data) };
  }
}

/** What fails here fails again where the conversation is closed by hand. */
const close = (conversation: string) =>
  told(
    api.PATCH('/api/v1/conversations/{conversation_id}', {
      params: { path: { conversation_id: conversation } },
      body: { status: 'closed' },
    }),
  ).catch(() => {});

/** A conversation with an agent that stays while its settings are changed and it is asked again. */
export function useTalk(tenant: string, agent: string, { lead, draft }: Asking) {
  const queries = useQueryClient();
  const queryKey = talkKey(tenant, agent, lead);
  const { data: exchanges = [] } = useQuery<Exchange[]>({
    queryKey,
    queryFn: skipToken,
    initialData: [],
    gcTime: Number.POSITIVE_INFINITY,
  });
  const [failure, setFailure] = useState<{ exchange: string; error: unknown }>();
  const [writing, setWriting] = useState(false);
  const stopping = useRef<AbortController>(null);
  useEffect(() => () => stopping.current?.abort(), []);

  const put = (change: (all: Exchange[]) => Exchange[]) =>
    queries.setQueryData<Exchange[]>(queryKey, (all) => change(all ?? []));
  const current = () => queries.getQueryData<Exchange[]>(queryKey) ?? [];

  /** What is sent again under the same key books and orders nothing twice. */
  const answer = async (exchange: Exchange, { key = crypto.randomUUID() as string, tried = false } = {}) => {
    const attempt: Attempt = { key: crypto.randomUUID(), text: '', tools: [], ...(tried && { tried }) };
    const attempts = (change: (all: Attempt[]) => Attempt[]) =>
      put((all) =>
        all.map((one) => (one.key === exchange.key ? { ...one, attempts: change(one.attempts) } : one)),
      );
    const change = (changed: (attempt: Attempt) => Attempt) =>
      attempts((all) => all.map((one) => (one.key === attempt.key ? changed(one) : one)));
    const messages: Spoken[] = [
      ...before(current(), exchange.key),
      { role: 'user', content: exchange.question },
    ];
    attempts((all) => [...all, attempt]);
    setFailure(undefined);
    setWriting(true);
    const control = new AbortController();
    stopping.current = control;
    try {
      for await (const { name, data } of answered(
        agent,
        key,
        messages,
        { lead: tried ? undefined : lead, draft },
        control.signal,
      )) {
        if (name === 'delta') change((one) => ({ ...one, text: one.text + data.text }));
        else if (name === 'tool') change((one) => ({ ...one, tools: [...one.tools, data.name] }));
        else if (name === 'done')
          change((one) => ({ ...one, text: data.message.content, answer: data as Answer }));
        else if (name === 'error') throw errorOf(500, { error: data.error ?? data });
      }
    } catch (error) {
      if (control.signal.aborted) change((one) => ({ ...one, stopped: true }));
      else {
        attempts((all) => all.filter((one) => one.key !== attempt.key));
        setFailure({ exchange: exchange.key, error: error instanceof ApiError ? error : unreachable() });
      }
    } finally {
      if (stopping.current === control) setWriting(false);
    }
  };

  const conversation = exchanges
    .flatMap((exchange) => exchange.attempts)
    .findLast((attempt) => attempt.answer?.conversation_id)?.answer?.conversation_id;
  return {
    exchanges,
    failure,
    writing,
    ask: (question: string) => {
      const exchange: Exchange = { key: crypto.randomUUID(), question, attempts: [] };
      put((all) => [...all, exchange]);
      void answer(exchange, { key: exchange.key });
    },
    /** In the talk of a customer without them, so that nothing is done twice. */
    askAgain: (exchange: Exchange) => void answer(exchange, { tried: lead !== undefined }),
    retry: (exchange: Exchange) => void answer(exchange, { key: exchange.key }),
    conversation,
    stop: () => stopping.current?.abort(),
    restart: () => {
      stopping.current?.abort();
      put(() => []);
      setFailure(undefined);
      // What was said to a customer stays; what they say next is another talk.
      if (conversation) void close(conversation);
    },
  };
}
