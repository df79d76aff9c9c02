import { Button, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { done, failed } from '../../../parts/notify';
import { ask, Dialog } from '../../settings/parts/dialog';
import { ReceiptDetails } from '../../settings/platform/receipt';
import { deleteAll, readAllAgain } from './bulk';
import type { Choice } from './choice';
import classes from './documents.module.css';

/** What can be done with the documents that are chosen, however many. */
export function ChosenBar({ tenant, kb, choice }: { tenant: string; kb: string; choice: Choice }) {
  const t = useTexts();
  const words = t.documents;
  const queries = useQueryClient();
  const [settled, setSettled] = useState(0);
  const [receipt, setReceipt] = useState<Schemas['DeletionReceipt']>();
  const ids = [...choice.chosen];
  const count = ids.length;
  const again = () => queries.invalidateQueries({ queryKey: [tenant, 'bases', kb] });
  const deleting = useMutation({
    mutationFn: () => deleteAll(kb, ids, setSettled),
    onSuccess: (receipt) => {
      const { rows } = receipt.removed;
      done(t.knowledge.receipt(rows.documents ?? 0, rows.chunks ?? 0));
      if (count > 1) setReceipt(receipt);
      choice.clear();
    },
    onError: failed,
    onSettled: again,
  });
  const reading = useMutation({
    mutationFn: () => readAllAgain(kb, ids, setSettled),
    onSuccess: ({ accepted, skipped }) => {
      done(words.readingAgain(accepted, skipped));
      choice.clear();
    },
    onError: failed,
    onSettled: again,
  });
  const busy = deleting.isPending || reading.isPending;
  const begin = (act: () => void) => {
    setSettled(0);
    act();
  };
  return (
    <>
      {count > 0 && (
        <Paper withBorder shadow="sm" p="xs" className={classes.bar}>
          <Group gap="xs" justify="space-between">
            <Text size="sm" aria-live="polite">
              {t.knowledge.selected(count)}
            </Text>
            <Group gap="xs">
              <Button size="xs" variant="subtle" onClick={choice.clear} disabled={busy}>
                {words.clearChoice}
              </Button>
              <Button
                size="xs"
                variant="default"
                loading={reading.isPending}
                disabled={deleting.isPending}
                onClick={() =>
                  ask({
                    title: words.againTitle(count),
                    text: words.againText,
                    confirm: words.readAgain,
                    act: () => begin(reading.mutate),
                  })
                }
              >
                {words.readAgain}
              </Button>
              <Button
                size="xs"
                color="red"
                variant="light"
                loading={deleting.isPending}
                disabled={reading.isPending}
                onClick={() =>
                  ask({
                    title: t.knowledge.deleteTitle(count),
                    text: t.knowledge.deleteText,
                    confirm: t.common.delete,
                    danger: true,
                    act: () => begin(deleting.mutate),
                  })
                }
              >
                {t.common.delete}
              </Button>
            </Group>
          </Group>
          {busy && (
            <Progress mt="xs" value={(settled * 100) / count} aria-label={words.settled(settled, count)} />
          )}
        </Paper>
      )}
      <Dialog opened={receipt !== undefined} onClose={() => setReceipt(undefined)} title={words.receiptTitle}>
        {receipt && (
          <Stack>
            <ReceiptDetails receipt={receipt} current={tenant} />
            <Button variant="default" onClick={() => setReceipt(undefined)}>
              {t.common.close}
            </Button>
          </Stack>
        )}
      </Dialog>
    </>
  );
}
