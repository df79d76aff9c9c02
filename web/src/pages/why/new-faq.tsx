import { useTexts } from '../../i18n';
import { GuardedDialog } from '../../parts/guarded-dialog';
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
    <GuardedDialog opened={opened} onClose={close} title={t.why.addFaq}>
      <CorrectingFaq tenant={tenant} question={question} saved={close} />
    </GuardedDialog>
  );
}
