import { Anchor, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../../i18n';
import type { DocumentSearch } from '../../../routes/knowledge';
import { useFormats } from '../../settings/formats';
import { statsOf } from '../queries';
import classes from './documents.module.css';

/** What a knowledge base holds. What failed or is on its way leads to just that. */
export function BaseCounters({
  tenant,
  kb,
  show,
}: {
  tenant: string;
  kb: string;
  show: (search: DocumentSearch) => void;
}) {
  const t = useTexts();
  const words = t.documents.counters;
  const { number, bytes } = useFormats(tenant);
  const stats = useQuery(statsOf(tenant, kb)).data;
  if (!stats || stats.documents === 0) return null;
  const { documents, chunks, size_bytes, documents_pending: moving, documents_failed: failed } = stats;
  return (
    <div className={classes.counters}>
      <Counter name={words.documents} value={number(documents)} />
      <Counter name={words.chunks} value={number(chunks)} />
      <Counter name={words.size} value={bytes(size_bytes)} />
      {moving > 0 && (
        <Counter name={words.moving} value={number(moving)} act={() => show({ status: 'processing' })} />
      )}
      {failed > 0 && (
        <Counter name={words.failed} value={number(failed)} act={() => show({ status: 'failed' })} danger />
      )}
    </div>
  );
}

function Counter({
  name,
  value,
  act,
  danger,
}: {
  name: string;
  value: string;
  act?: () => void;
  danger?: boolean;
}) {
  return (
    <Paper withBorder px="sm" py={6}>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      {act ? (
        <Anchor
          component="button"
          type="button"
          fw={600}
          c={danger ? 'var(--mantine-color-error)' : undefined}
          onClick={act}
        >
          {value}
        </Anchor>
      ) : (
        <Text fw={600}>{value}</Text>
      )}
    </Paper>
  );
}
