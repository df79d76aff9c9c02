import { ActionIcon, Button, CloseButton, Menu, Stack } from '@mantine/core';
import { Fragment, type ReactNode, useRef } from 'react';
import { useTexts } from '../../../i18n';

export type RowTools = {
  position: number;
  /** A button that takes the row away. */
  remove: ReactNode;
  /** A menu that moves the row or takes it away. */
  menu: ReactNode;
};

type Props<T> = {
  value: T[];
  onChange: (rows: T[]) => void;
  blank: (rows: T[]) => T;
  add: string;
  most: number;
  gap?: string;
  children: (row: T, change: (row: T) => void, tools: RowTools) => ReactNode;
};

/** Rows that are added, moved and taken away, each of which keeps what is open in it. */
export function RowsEditor<T>({ value, onChange, blank, add, most, gap = 'xs', children }: Props<T>) {
  const t = useTexts();
  const keys = useRef<number[]>([]);
  const next = useRef(0);
  while (keys.current.length < value.length) keys.current.push(next.current++);
  keys.current.length = value.length;

  const remove = (at: number) => {
    keys.current.splice(at, 1);
    onChange(value.filter((_, index) => index !== at));
  };
  const move = (at: number, to: number) => {
    const swapped = <V,>(list: V[]) =>
      list.map((one, index) => (index === at ? list[to] : index === to ? list[at] : one)) as V[];
    keys.current = swapped(keys.current);
    onChange(swapped(value));
  };
  const change = (at: number, row: T) => onChange(value.map((one, index) => (index === at ? row : one)));

  return (
    <Stack gap={gap} align="stretch">
      {value.map((row, at) => (
        <Fragment key={keys.current[at]}>
          {children(row, (changed) => change(at, changed), {
            position: at,
            remove: (
              <CloseButton
                aria-label={t.business.removeRow(at + 1)}
                onClick={() => remove(at)}
                style={{ flexShrink: 0 }}
              />
            ),
            menu: (
              <Menu position="bottom-end">
                <Menu.Target>
                  <ActionIcon variant="subtle" color="gray" aria-label={t.business.rowActions(at + 1)}>
                    ⋯
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item disabled={at === 0} onClick={() => move(at, at - 1)}>
                    {t.business.moveUp}
                  </Menu.Item>
                  <Menu.Item disabled={at === value.length - 1} onClick={() => move(at, at + 1)}>
                    {t.business.moveDown}
                  </Menu.Item>
                  <Menu.Item color="red" onClick={() => remove(at)}>
                    {t.business.remove}
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            ),
          })}
        </Fragment>
      ))}
      {value.length < most && (
        <Button
          size="xs"
          variant="default"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => onChange([...value, blank(value)])}
        >
          {add}
        </Button>
      )}
    </Stack>
  );
}
