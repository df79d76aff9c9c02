import { useParams } from '@tanstack/react-router';
import { useTexts } from '../../../i18n';
import { RestrictedPage } from '../parts/refusal';
import { EndCard } from './end';
import { ExportCard } from './export';

/** What a business takes away, and its end. */
export function LeavingPage() {
  const t = useTexts();
  const { tenant } = useParams({ from: '/inside/t/$tenant' });
  return (
    <RestrictedPage
      tenant={tenant}
      needs="tenant:write"
      title={t.settings.sections.leaving}
      intro={t.settings.leaving.intro}
    >
      <ExportCard tenant={tenant} />
      <EndCard tenant={tenant} />
    </RestrictedPage>
  );
}
