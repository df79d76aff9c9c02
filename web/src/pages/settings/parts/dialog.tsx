import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { texts } from '../../../i18n';

export { GuardedDialog as Dialog } from '../../../parts/guarded-dialog';

/** Asks before something is done, and says what comes of it. */
export function ask({
  title,
  text,
  confirm,
  cancel,
  danger = false,
  act,
}: {
  title: string;
  text: string;
  confirm: string;
  cancel?: string;
  danger?: boolean;
  act: () => void;
}) {
  const t = texts();
  modals.openConfirmModal({
    title,
    children: <Text size="sm">{text}</Text>,
    labels: { confirm, cancel: cancel ?? t.common.cancel },
    confirmProps: danger ? { color: 'red' } : {},
    closeButtonProps: { 'aria-label': t.common.close },
    onConfirm: act,
  });
}
