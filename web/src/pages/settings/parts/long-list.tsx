import { Box } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';

const GAP = 8;

/** A list of which only what can be seen is in the page, however long it grows. */
export function LongList<T>({
  label,
  items,
  keyOf,
  render,
}: {
  label: string;
  items: readonly T[];
  keyOf: (item: T) => string;
  render: (item: T) => ReactNode;
}) {
  const list = useRef<HTMLUListElement>(null);
  const [margin, setMargin] = useState(0);
  // What stands above the list comes and goes.
  useLayoutEffect(() => {
    if (list.current) setMargin(Math.round(list.current.getBoundingClientRect().top + window.scrollY));
  });
  const rows = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => 72,
    overscan: 8,
    gap: GAP,
    scrollMargin: margin,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item);
    },
  });
  return (
    <Box
      component="ul"
      ref={list}
      aria-label={label}
      m={0}
      p={0}
      pos="relative"
      h={rows.getTotalSize()}
      style={{ listStyle: 'none' }}
    >
      {rows.getVirtualItems().map((row) => {
        const item = items[row.index];
        return (
          item !== undefined && (
            <Box
              component="li"
              key={row.key}
              ref={rows.measureElement}
              data-index={row.index}
              aria-setsize={items.length}
              aria-posinset={row.index + 1}
              pos="absolute"
              top={0}
              left={0}
              w="100%"
              style={{ transform: `translateY(${row.start - margin}px)` }}
            >
              {render(item)}
            </Box>
          )
        );
      })}
    </Box>
  );
}
