import { Badge, VisuallyHidden } from '@mantine/core';
import { useTexts } from '../i18n';
import { useArrivals, useUnseen } from '../pages/orders/arrivals';
import { ringOnce, useSound } from '../pages/orders/sound';
import { useTabBadge } from './tab-badge';

/** Tells of new orders wherever somebody is: in the title of the tab, aloud, and with a sound where it is on. */
export function NewOrders({ tenant }: { tenant: string }) {
  const t = useTexts();
  const [sounds] = useSound();
  useArrivals(tenant, () => sounds && ringOnce());
  const { size } = useUnseen(tenant);
  useTabBadge(size);
  return <VisuallyHidden role="status">{size > 0 ? t.orders.arrived(size) : ''}</VisuallyHidden>;
}

/** How many are new, beside the way to them. */
export function NewOrdersBadge({ count }: { count: number }) {
  const t = useTexts();
  if (count === 0) return null;
  return (
    <>
      <Badge size="sm" color="ochre.8" aria-hidden>
        {count}
      </Badge>
      <VisuallyHidden>{t.orders.arrived(count)}</VisuallyHidden>
    </>
  );
}
