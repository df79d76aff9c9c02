import { Box, Button, Code, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type Texts, useTexts } from '../../../i18n';

/** How many of a long list are shown. */
const MOST = 12;

export const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

function plain(value: unknown, t: Texts): string {
  if (typeof value === 'boolean') return value ? t.agents.yes : t.agents.no;
  return String(value);
}

/** Anything that a step was about, as names and values instead of brackets. */
export function ValueView({ value }: { value: unknown }) {
  const t = useTexts();
  if (isEmpty(value))
    return (
      <Text span inherit>
        —
      </Text>
    );
  if (typeof value !== 'object' || value === null)
    return (
      <Text span inherit style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {plain(value, t)}
      </Text>
    );
  if (Array.isArray(value)) {
    if (value.every((one) => typeof one !== 'object')) {
      const some = value.slice(0, MOST).map((one) => plain(one, t));
      const rest = value.length - some.length;
      return (
        <Text span inherit>
          {[...some, ...(rest > 0 ? [t.agents.andMore(rest)] : [])].join(', ')}
        </Text>
      );
    }
    return (
      <Stack gap={4} component="ul" m={0} pl="md">
        {value.slice(0, MOST).map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what was kept never changes
          <li key={at}>
            <ValueView value={one} />
          </li>
        ))}
        {value.length > MOST && <li>{t.agents.andMore(value.length - MOST)}</li>}
      </Stack>
    );
  }
  return (
    <Box component="dl" m={0}>
      {Object.entries(value)
        .filter(([, one]) => !isEmpty(one))
        .map(([name, one]) => (
          <Box key={name} style={{ overflowWrap: 'anywhere' }}>
            <Text component="dt" inherit c="dimmed" display="inline">
              {name}:{' '}
            </Text>
            <Box
              component="dd"
              m={0}
              ml={typeof one === 'object' && !Array.isArray(one) ? 'sm' : 0}
              display={typeof one === 'object' ? 'block' : 'inline'}
            >
              <ValueView value={one} />
            </Box>
          </Box>
        ))}
    </Box>
  );
}

/** What only some want to see. */
export function MoreView({ label, children }: { label: string; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <div>
      <Button size="compact-xs" variant="subtle" px={0} onClick={() => setOpen(!open)} aria-expanded={open}>
        {open ? '− ' : '+ '}
        {label}
      </Button>
      {open && (
        <Box fz="xs" mt={4}>
          {children}
        </Box>
      )}
    </div>
  );
}

/** A result as it was kept: data, or a text where it was too long to be kept whole. */
export function ResultView({ value }: { value: unknown }) {
  if (typeof value === 'string')
    return (
      <Code block mah={260} tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflow: 'auto' }}>
        {value}
      </Code>
    );
  return <ValueView value={value} />;
}
