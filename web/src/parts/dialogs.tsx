import { ModalsProvider } from '@mantine/modals';
import type { ReactNode } from 'react';
import { useTexts } from '../i18n';

/** Dialogs that ask something, whose cross says what it does to whoever does not see it. */
export function Dialogs({ children }: { children: ReactNode }) {
  const t = useTexts();
  return (
    <ModalsProvider modalProps={{ closeButtonProps: { 'aria-label': t.common.close } }}>
      {children}
    </ModalsProvider>
  );
}
