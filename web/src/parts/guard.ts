import { useBlocker } from '@tanstack/react-router';
import { createContext, useContext, useEffect, useRef } from 'react';
import { useTexts } from '../i18n';

/** A form with something to lose. */
export type Guard = { isHeld: () => boolean; letGo: () => void };

/** The forms inside a dialog, which asks them before it closes; none where a form stands on a page. */
export const Guards = createContext<Set<Guard> | undefined>(undefined);

/**
 * Asks before what was typed is lost: by another page, by closing the tab, and by closing the
 * `GuardedDialog` around it. Takes a function where typing does not render the form again.
 * Returns what lets go without asking, to be called once it is saved; a form that is clean again asks anew.
 */
export function useGuard(dirty: boolean | (() => boolean)): () => void {
  const t = useTexts();
  const around = useContext(Guards);
  const free = useRef(false);
  const now = useRef(dirty);
  now.current = dirty;
  const isDirty = () => (typeof now.current === 'function' ? now.current() : now.current);
  const guard = useRef<Guard>({
    isHeld: () => !free.current && isDirty(),
    letGo: () => {
      free.current = true;
    },
  }).current;
  useEffect(() => {
    if (!isDirty()) free.current = false;
  });
  useEffect(() => {
    around?.add(guard);
    return () => {
      around?.delete(guard);
    };
  }, [around, guard]);
  useBlocker({
    shouldBlockFn: () => guard.isHeld() && !window.confirm(t.common.unsaved),
    enableBeforeUnload: guard.isHeld,
  });
  return guard.letGo;
}
