import { Paper } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTexts } from '../../../i18n';
import { ButtonLink } from '../../../parts/links';
import { EmptyState } from '../../../parts/page';
import { PagedList } from '../parts/paged-list';
import { RestrictedPage } from '../parts/refusal';
import { receiptPages } from '../queries';
import { ReceiptDetails } from './receipt';

export function ReceiptsPage() {
  const t = useTexts();
  const { tenant } = useParams({ from: '/inside/t/$tenant' });
  return (
    <RestrictedPage
      tenant={tenant}
      needs="platform"
      title={t.settings.sections.receipts}
      intro={t.settings.platform.receiptsIntro}
    >
      <ReceiptList tenant={tenant} />
    </RestrictedPage>
  );
}

function ReceiptList({ tenant }: { tenant: string }) {
  const t = useTexts();
  const list = useInfiniteQuery(receiptPages);
  return (
    <PagedList
      label={t.settings.sections.receipts}
      list={list}
      keyOf={(kept) => kept.id}
      render={(kept) => (
        <Paper withBorder p="md">
          <ReceiptDetails receipt={kept.receipt} current={tenant} />
        </Paper>
      )}
      empty={
        <EmptyState
          title={t.settings.platform.noReceipts}
          text={t.settings.platform.noReceiptsText}
          action={
            <ButtonLink to="/t/$tenant/settings/platform/tenants" params={{ tenant }} variant="default">
              {t.settings.sections.tenants}
            </ButtonLink>
          }
        />
      }
    />
  );
}
