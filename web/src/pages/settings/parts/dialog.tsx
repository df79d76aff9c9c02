import { Modal, type ModalProps, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { texts, useTexts } from '../../../i18n';

/** A dialog whose cross says what it does. */
export function Dialog(props: ModalProps) {
  const t = useTexts();
  return <Modal closeButtonProps={{ 'aria-label': t.common.close }} {...props} />;
}

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
