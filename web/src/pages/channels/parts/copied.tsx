import { Box, Button, Code, CopyButton, Group, Text } from '@mantine/core';
import { useTexts } from '../../../i18n';

/** Something to be put into the settings of a channel as it stands here. */
export function CopiedValue({ label, value, copy }: { label: string; value: string; copy: string }) {
  const t = useTexts();
  return (
    <Box>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <Group gap="xs" align="flex-start">
        <Code block flex="1 1 260px" miw={0} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {value}
        </Code>
        <CopyButton value={value}>
          {({ copied, copy: act }) => (
            <Button size="xs" variant="default" onClick={act} aria-label={copied ? t.common.copied : copy}>
              {copied ? t.common.copied : t.common.copy}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Box>
  );
}
