import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core';
import { useModals } from '@mantine/modals';
import { useEffect, useRef } from 'react';
import { useTexts } from '../i18n';
import { type Guard, Guards } from './guard';

/**
 * A dialog that asks before what was typed in it is lost: by Esc, its cross, a click beside it, another page
 * or closing the tab. A form inside says with `useGuard(dirty)` that it has something to lose; where none
 * does, the dialog closes at once. What the form closes itself, once it is saved, is not asked about.
 */
export function GuardedDialog({ onClose, children, ...props }: ModalProps) {
  const t = useTexts();
  const { guards, leave } = useLeaving(props.opened, onClose);
  return (
    <Modal closeButtonProps={{ 'aria-label': t.common.close }} {...props} onClose={leave}>
      <Guards value={guards}>{children}</Guards>
    </Modal>
  );
}

/** The same at the side of the page. */
export function GuardedDrawer({ onClose, children, ...props }: DrawerProps) {
  const t = useTexts();
  const { guards, leave } = useLeaving(props.opened, onClose);
  return (
    <Drawer position="right" closeButtonProps={{ 'aria-label': t.common.close }} {...props} onClose={leave}>
      <Guards value={guards}>{children}</Guards>
    </Drawer>
  );
}

/** All that are open, the one on top last: every one of them hears Esc, and only that one is meant. */
const open: Set<Guard>[] = [];

function useLeaving(opened: boolean, close: () => void) {
  const t = useTexts();
  const { modals } = useModals();
  const guards = useRef(new Set<Guard>()).current;
  useEffect(() => {
    if (!opened) return;
    open.push(guards);
    return () => {
      // The key that closed this one is still on its way to those below.
      setTimeout(() => open.splice(open.lastIndexOf(guards), 1));
    };
  }, [opened, guards]);
  const leave = () => {
    // What is asked on top of all of them hears the key as well, and is the one that is meant.
    if (modals.length > 0 || open.at(-1) !== guards) return;
    const held = [...guards].filter((guard) => guard.isHeld());
    if (held.length > 0 && !window.confirm(t.common.unsaved)) return;
    // Closing may lead to another address, which would ask the same once more.
    for (const guard of held) guard.letGo();
    close();
  };
  return { guards, leave };
}
