import { useRef } from 'react';
import { once } from '../../../api/client';

/** The key of a request, the same while the same is sent again. */
export function useOnce(): (body: unknown) => Record<string, string> {
  const last = useRef<{ text: string; key: Record<string, string> }>(undefined);
  return (body) => {
    const text = JSON.stringify(body);
    if (last.current?.text !== text) last.current = { text, key: once() };
    return last.current.key;
  };
}
