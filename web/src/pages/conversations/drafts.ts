import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { once } from '../../api/client';
import type { Written } from './queries';

type Draft = Pick<Written, 'role' | 'text'>;

const EMPTY: Draft = { role: 'human', text: '' };

/** What was begun and not sent, kept while somebody looks elsewhere: a note comes back as a note. */
const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const draftOf = (conversation: string) => drafts.get(conversation) ?? EMPTY;

export function keepDraft(conversation: string, draft: Draft) {
  drafts.set(conversation, draft);
  for (const listener of listeners) listener();
}

/** The same words sent again after a failure are the same message, also for whoever looked elsewhere meanwhile. */
const attempts = new Map<string, Written>();

export function attemptOf(conversation: string, draft: Draft): Written {
  const before = attempts.get(conversation);
  if (before?.role === draft.role && before.text === draft.text) return before;
  const attempt = { ...draft, key: once() };
  attempts.set(conversation, attempt);
  return attempt;
}

/** Empties what was sent, unless somebody has gone on writing meanwhile. */
export function forgetSent(conversation: string, sent: Written) {
  if (attempts.get(conversation) === sent) attempts.delete(conversation);
  const { role, text } = draftOf(conversation);
  if (role === sent.role && text.trim() === sent.text) keepDraft(conversation, { role, text: '' });
}

export function useDraft(conversation: string): Draft {
  const draft = useSyncExternalStore(
    subscribe,
    useCallback(() => draftOf(conversation), [conversation]),
  );
  // Nothing but a kind of message is no reason to come back to a note.
  useEffect(
    () => () => {
      if (!draftOf(conversation).text) drafts.delete(conversation);
    },
    [conversation],
  );
  return draft;
}
