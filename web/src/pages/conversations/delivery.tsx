import { Text } from '@mantine/core';
import { useTexts } from '../../i18n';
import type { Delivery } from './deliveries';
import styles from './inbox.module.css';

/** As people know them from their telephones. */
const SIGNS: Record<Delivery['state'], string> = {
  waiting: '◷',
  sending: '◷',
  sent: '✓',
  delivered: '✓✓',
  read: '✓✓',
  failed: '!',
};

/** How far a message has come, beside its time. */
export function DeliveryMark({ state }: Pick<Delivery, 'state'>) {
  const name = useTexts().channels.states[state];
  return (
    <Text span size="xs" role="img" aria-label={name} title={name} className={styles.mark} data-state={state}>
      {SIGNS[state]}
    </Text>
  );
}

/** Why a message did not arrive, or has not arrived yet. */
export function DeliveryReason({ state, reason }: Delivery) {
  const t = useTexts();
  const isFailed = state === 'failed';
  if (!isFailed && !(reason && (state === 'waiting' || state === 'sending'))) return null;
  const words = reason
    ? (isFailed ? t.channels.failedBecause : t.channels.waitsBecause)(reason)
    : t.channels.states[state];
  return (
    <Text
      size="xs"
      c={isFailed ? 'var(--mantine-color-error)' : 'dimmed'}
      style={{ overflowWrap: 'anywhere' }}
    >
      {words}
    </Text>
  );
}
