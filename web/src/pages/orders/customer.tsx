import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../i18n';
import { customerOf } from '../agenda/queries';
import type { Order } from './machine';

/** Whose order it is: the name that was told with it, or that of the customer it belongs to. */
export function CustomerName({ tenant, order }: { tenant: string; order: Order }) {
  const t = useTexts();
  const asked = !order.customer_name && order.lead_id;
  const known = useQuery({ ...customerOf(tenant, order.lead_id ?? ''), enabled: Boolean(asked) });
  return <>{order.customer_name ?? known.data?.name ?? known.data?.phone ?? t.orders.noName}</>;
}
