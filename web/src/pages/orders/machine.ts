import type { Schemas } from '../../api/client';

export type Order = Schemas['Order'];
export type Status = Order['status'];

/** In the order in which they follow each other. */
export const STATUSES = [
  'received',
  'preparing',
  'ready',
  'out_for_delivery',
  'completed',
  'cancelled',
] as const satisfies Status[];

export const isEnded = (status: Status) => status === 'completed' || status === 'cancelled';

export const COLOURS: Record<Status, string> = {
  received: 'ochre',
  preparing: 'teal',
  ready: 'teal',
  out_for_delivery: 'teal',
  completed: 'gray',
  cancelled: 'gray',
};

/** Steps may be skipped, but none is taken back, and what is fetched is never on its way. */
export function mayBecome({ status, order_type }: Order, next: Status): boolean {
  if (isEnded(status)) return false;
  if (next === 'out_for_delivery' && order_type === 'pickup') return false;
  return STATUSES.indexOf(next) > STATUSES.indexOf(status);
}

/** What an order may become, without being cancelled: the next step first. */
export function nextOf(order: Order): Status[] {
  return STATUSES.filter((next) => next !== 'cancelled' && mayBecome(order, next));
}
