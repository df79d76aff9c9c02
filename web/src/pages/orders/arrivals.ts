import { useEffect, useRef, useState } from 'react';
import type { Order } from './machine';

const NONE: ReadonlySet<string> = new Set();

/** Orders that came in since anybody last touched the page. The first that are seen are not new. */
export function useArrivals(received: Order[] | undefined, came: () => void): ReadonlySet<string> {
  const known = useRef<Set<string>>(undefined);
  const [unseen, setUnseen] = useState(NONE);
  const told = useRef(came);
  told.current = came;
  useEffect(() => {
    if (!received) return;
    const before = known.current;
    known.current = new Set([...(before ?? []), ...received.map(({ id }) => id)]);
    if (!before) return;
    const fresh = received.filter(({ id }) => !before.has(id));
    if (fresh.length === 0) return;
    setUnseen((all) => new Set([...all, ...fresh.map(({ id }) => id)]));
    told.current();
  }, [received]);
  useEffect(() => {
    const look = () => setUnseen(NONE);
    window.addEventListener('pointerdown', look);
    window.addEventListener('keydown', look);
    return () => {
      window.removeEventListener('pointerdown', look);
      window.removeEventListener('keydown', look);
    };
  }, []);
  return unseen;
}

/** The tab says how many are new, also while another one is looked at. */
export function useTabBadge(title: string, count: number) {
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ''}${title} · Quipu`;
  }, [title, count]);
}
