import { Box, Text } from '@mantine/core';

/** A few facts under their names, beside each other where there is room. */
export function KeyFacts({ facts }: { facts: (readonly [string, string])[] }) {
  return (
    <Box
      component="dl"
      m={0}
      display="grid"
      style={{ gridTemplateColumns: 'repeat(auto-fit, minmax(140px, 1fr))', gap: 12 }}
    >
      {facts.map(([name, value]) => (
        <div key={name}>
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Text>
        </div>
      ))}
    </Box>
  );
}
