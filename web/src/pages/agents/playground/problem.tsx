import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** What went wrong in a step. */
export function Problem({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="var(--mantine-color-ochre-light-color)" style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  );
}
