import { useRef } from 'react';
import { once } from '../../api/client';

/** A key that stays the same while the same thing is sent again, until it is known to have been done. */
export function useOnce() {
  const kept = useRef<{ body: string; header: ReturnType<typeof once> }>(null);
  return {
    header: (body: unknown) => {
      const text = JSON.stringify(body);
      if (kept.current?.body !== text) kept.current = { body: text, header: once() };
      return kept.current.header;
    },
    forget: () => {
      kept.current = null;
    },
  };
}
