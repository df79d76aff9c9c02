import { Drawer, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../../i18n';
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
  const isDirty = useRef(() => false);
  // What closes stays in sight until it is gone.
  const [last, setLast] = useState<Edited>();
  useEffect(() => {
    if (edited) setLast(edited);
  }, [edited]);
  const shown = edited ?? last;
  const leave = () => {
    if (!isDirty.current() || window.confirm(t.common.unsaved)) close();
  };
  const old = shown === 'new' ? undefined : shown;
  return (
    <Drawer
      opened={edited !== undefined}
      onClose={leave}
      position="right"
      size={560}
      title={
        <Text span fw={650} size="lg">
          {old ? t.agents.rules.editOf(old.title) : t.agents.rules.create}
        </Text>
      }
      closeButtonProps={{ 'aria-label': t.common.close }}
      transitionProps={{ duration: 120 }}
    >
      {edited && (
        <InstructionForm
          key={old?.id ?? 'new'}
          tenant={tenant}
          old={old}
          branches={branches}
          close={close}
          isDirty={isDirty}
        />
      )}
    </Drawer>
  );
}
