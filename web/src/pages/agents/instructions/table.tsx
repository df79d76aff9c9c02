import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useTexts } from '../../../i18n';
import { failed } from '../../../parts/notify';
import { exportTable } from '../../business/tables/calls';
import { ImportDialog } from './import';

/** Spreadsheets in and out. */
export function TableMenu({ tenant, changes }: { tenant: string; changes: boolean }) {
  const t = useTexts();
  const words = t.business.tables;
  const [importing, { open, close }] = useDisclosure();
  const exporting = useMutation({ mutationFn: () => exportTable('instructions'), onError: failed });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" loading={exporting.isPending} aria-label={words.menu}>
            CSV
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {changes && <Menu.Item onClick={open}>{words.import}</Menu.Item>}
          <Menu.Item onClick={() => exporting.mutate()}>{words.export}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ImportDialog tenant={tenant} opened={importing} close={close} exported={() => exporting.mutate()} />
    </>
  );
}
