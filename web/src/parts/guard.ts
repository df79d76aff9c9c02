import { useBlocker } from '@tanstack/react-router';
import { useRef } from 'react';
import { useTexts } from '../i18n';

/** Asks before what was typed is lost. Returns what lets go without asking. */
export function useGuard(dirty: boolean): () => void {
  const t = useTexts();
  const free = useRef(false);
  useBlocker({
    shouldBlockFn: () => dirty && !free.current && !window.confirm(t.common.unsaved),
    enableBeforeUnload: () => dirty && !free.current,
  });
  return () => {
    free.current = true;
  };
}
