import { Box, Text } from '@mantine/core';

const SHORT = 40;

function plain(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** What something is about, name by name, as the server has it. */
export function KeyValues({ values }: { values: Record<string, unknown> }) {
  return (
    <Box component="dl" m={0} mt="xs">
      {Object.entries(values).map(([name, value]) => {
        const text = plain(value);
        return (
          <Box key={name} display={text.length > SHORT ? 'block' : 'flex'} style={{ gap: 8 }} mb={2}>
            <Text component="dt" size="xs" c="dimmed">
              {name}
            </Text>
            <Text component="dd" size="xs" m={0} ff="monospace" style={{ overflowWrap: 'anywhere' }}>
              {text}
            </Text>
          </Box>
        );
      })}
    </Box>
  );
}
