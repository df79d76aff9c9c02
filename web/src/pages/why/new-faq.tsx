import { Modal } from '@mantine/core';
import { useTexts } from '../../i18n';
import { CorrectingFaq } from './faq';

/** A new frequent question, beside the answer that lacked it. */
export function NewFaq({
  tenant,
  question,
  opened,
  close,
}: {
  tenant: string;
  question: string;
  opened: boolean;
  close: () => void;
}) {
  const t = useTexts();
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t.why.addFaq}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      <CorrectingFaq tenant={tenant} question={question} saved={close} />
    </Modal>
  );
}
