import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTexts } from '../../../i18n';
import { GuardedDrawer } from '../../../parts/guarded-dialog';
import type { Edited } from '.';
import { InstructionForm } from './form';

/** An instruction beside the list that it is in. */
export function InstructionDrawer({
  tenant,
  edited,
  branches,
  close,
}: {
  tenant: string;
  edited: Edited;
  branches: { id: string; name: string }[];
  close: () => void;
}) {
  const t = useTexts();
  // What closes stays in sight until it is gone.
  const [last, setLast] = useState<Edited>();
  useEffect(() => {
    if (edited) setLast(edited);
  }, [edited]);
  const shown = edited ?? last;
  const old = shown === 'new' ? undefined : shown;
  return (
    <GuardedDrawer
      opened={edited !== undefined}
      onClose={close}
      size={560}
      title={
        <Text span fw={650} size="lg">
          {old ? t.agents.rules.editOf(old.title) : t.agents.rules.create}
        </Text>
      }
      transitionProps={{ duration: 120 }}
    >
      {edited && (
        <InstructionForm key={old?.id ?? 'new'} tenant={tenant} old={old} branches={branches} close={close} />
      )}
    </GuardedDrawer>
  );
}
