import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useTexts } from '../../../i18n';
import { failed } from '../../../parts/notify';
import type { KindName } from '../catalogue';
import { exportTable } from './calls';
import { ImportDialog } from './dialog';

/** Spreadsheets in and out. */
export function TableMenu({ kind }: { kind: KindName }) {
  const t = useTexts();
  const [importing, { open, close }] = useDisclosure();
  const exporting = useMutation({ mutationFn: () => exportTable(kind), onError: failed });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" loading={exporting.isPending} aria-label={t.business.tables.menu}>
            CSV
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={open}>{t.business.tables.import}</Menu.Item>
          <Menu.Item onClick={() => exporting.mutate()}>{t.business.tables.export}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ImportDialog kind={kind} opened={importing} close={close} exported={() => exporting.mutate()} />
    </>
  );
}
