import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useEffect } from 'react';
import { useTexts } from '../../i18n';
import { CUSTOMER_COLUMNS, type CustomerColumn, columnsIn } from '../../routes/customers';

const USUAL = ['phone', 'email', 'channels', 'agent', 'tags', 'since'].join('.');

/** What is told of each customer: what the address says, or what was chosen last on this device. */
export function useColumns(said: string | undefined): CustomerColumn[] {
  const [kept, keep] = useLocalStorage({
    key: 'quipu.customers.columns',
    defaultValue: USUAL,
    getInitialValueInEffect: false,
  });
  useEffect(() => {
    if (said !== undefined && said !== kept) keep(said);
  }, [said, kept, keep]);
  return columnsIn(said ?? kept);
}

export function ColumnsMenu({
  columns,
  choose,
}: {
  columns: CustomerColumn[];
  choose: (columns: CustomerColumn[]) => void;
}) {
  const t = useTexts();
  const turn = (column: CustomerColumn) => {
    const without = columns.filter((one) => one !== column);
    const next = without.length < columns.length ? without : [...columns, column];
    choose(CUSTOMER_COLUMNS.filter((one) => next.includes(one)));
  };
  return (
    <Popover position="bottom-end" withinPortal trapFocus>
      <Popover.Target>
        <Button variant="default" visibleFrom="md">
          {t.joining.columns}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t.joining.columns}>
        <Stack gap="xs">
          {CUSTOMER_COLUMNS.map((column) => (
            <Checkbox
              key={column}
              size="sm"
              label={t.joining.columnNames[column]}
              checked={columns.includes(column)}
              onChange={() => turn(column)}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
