import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { GuardedDrawer } from '../../parts/guarded-dialog';
import { ListSkeleton } from '../../parts/skeletons';

type Asked = { isError: boolean; error: unknown; data: unknown; refetch: () => unknown };

/** Stands where a form will be, until what the form is about is here, and says why it is not. */
export function ComingEditor({ asked, close }: { asked: readonly Asked[]; close: () => void }) {
  const t = useTexts();
  const failure = asked.find(({ isError, data }) => isError && data === undefined);
  return (
    <GuardedDrawer opened onClose={close} size={620} title={t.why.edit} transitionProps={{ duration: 0 }}>
      {failure ? <FailureNotice error={failure.error} again={failure.refetch} /> : <ListSkeleton />}
    </GuardedDrawer>
  );
}
