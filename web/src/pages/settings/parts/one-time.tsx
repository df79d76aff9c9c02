import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { useTexts } from '../../../i18n';

/** Something that is shown this once, to be copied now. */
export function OneTimeValue({ title, text, value }: { title: string; text: string; value: string }) {
  const t = useTexts();
  return (
    <Alert color="ochre" title={title} role="status">
      <Stack gap="xs">
        <Text size="sm">{text}</Text>
        <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {value}
        </Code>
        <Group>
          <CopyButton value={value}>
            {({ copied, copy }) => (
              <Button size="xs" onClick={copy} aria-live="polite">
                {copied ? t.common.copied : t.common.copy}
              </Button>
            )}
          </CopyButton>
        </Group>
      </Stack>
    </Alert>
  );
}
