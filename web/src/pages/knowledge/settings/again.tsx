import { Button, Progress } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../../i18n';
import { done, failed } from '../../../parts/notify';
import { FormSection } from '../../agents/section';
import { ask } from '../../settings/parts/dialog';
import { readAllAgain } from '../documents/bulk';
import { idsOf } from '../documents/choice';

/** Has everything read again, so that how it is cut now counts for all of it. */
export function ReadAgain({
  tenant,
  kb,
  documents,
  disabled,
}: {
  tenant: string;
  kb: string;
  documents: number;
  disabled: boolean;
}) {
  const t = useTexts();
  const words = t.baseSettings;
  const queries = useQueryClient();
  const [settled, setSettled] = useState(0);
  const reading = useMutation({
    mutationFn: async () => readAllAgain(kb, await idsOf(kb, {}), setSettled),
    onSuccess: ({ accepted, skipped }) => done(t.documents.readingAgain(accepted, skipped)),
    onError: failed,
    onSettled: () => queries.invalidateQueries({ queryKey: [tenant, 'bases', kb] }),
  });
  return (
    <FormSection title={words.againTitle} text={disabled ? words.saveFirst : words.againText}>
      {reading.isPending && (
        <Progress value={(settled * 100) / documents} aria-label={t.documents.settled(settled, documents)} />
      )}
      <Button
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        disabled={disabled}
        loading={reading.isPending}
        onClick={() =>
          ask({
            title: t.documents.againTitle(documents),
            text: t.documents.againText,
            confirm: t.documents.readAgain,
            act: () => {
              setSettled(0);
              reading.mutate();
            },
          })
        }
      >
        {words.readAll(documents)}
      </Button>
    </FormSection>
  );
}
