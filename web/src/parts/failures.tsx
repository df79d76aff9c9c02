import { Alert, Button, Center, Code, CopyButton, Group, Stack, Text, Title } from '@mantine/core';
import { ApiError } from '../api/client';
import { useTexts } from '../i18n';
import { ButtonLink } from './links';

/** What went wrong, what to do, and the number by which it is found in the logs. */
export function FailureNotice({ error, again }: { error: unknown; again?: () => void }) {
  const t = useTexts();
  const request = error instanceof ApiError ? error.requestId : undefined;
  return (
    <Alert color="red" title={t.errors.title} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{error instanceof Error ? error.message : t.errors.broken}</Text>
        {request && (
          <Group gap="xs">
            <Text size="xs">
              {t.errors.request}: <Code>{request}</Code>
            </Text>
            <CopyButton value={request}>
              {({ copied, copy }) => (
                <Button size="compact-xs" variant="subtle" onClick={copy}>
                  {copied ? t.common.copied : t.common.copy}
                </Button>
              )}
            </CopyButton>
          </Group>
        )}
        {again && (
          <Button size="xs" variant="default" onClick={again}>
            {t.common.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

export function MissingPage() {
  const t = useTexts();
  return (
    <Center mih="60vh" p="md">
      <Stack align="center">
        <Title order={1} size="h3">
          404
        </Title>
        <Text>{t.errors.notFound}</Text>
        <ButtonLink to="/">{t.errors.home}</ButtonLink>
      </Stack>
    </Center>
  );
}

export function BrokenPage({ error }: { error: unknown }) {
  const t = useTexts();
  return (
    <Center mih="60vh" p="md">
      <Stack maw={560}>
        <FailureNotice error={error} />
        <Button variant="default" onClick={() => window.location.reload()}>
          {t.errors.reload}
        </Button>
      </Stack>
    </Center>
  );
}
