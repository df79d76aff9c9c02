import { Button, CopyButton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { ApiError } from '../api/client';
import { texts } from '../i18n';

const closing = () => ({ 'aria-label': texts().common.close });

export function done(message: string) {
  notifications.show({ message, color: 'teal', closeButtonProps: closing() });
}

/** For what failed away from where it could be shown in place. */
export function failed(error: unknown) {
  const t = texts();
  const id = error instanceof ApiError ? error.requestId : undefined;
  const message = error instanceof Error ? error.message : t.errors.broken;
  notifications.show({
    title: t.errors.title,
    message: id ? <WithRequest message={message} id={id} /> : message,
    color: 'red',
    autoClose: 10_000,
    closeButtonProps: closing(),
  });
}

/** What went wrong, and the number by which it is found in the logs. */
function WithRequest({ message, id }: { message: string; id: string }) {
  const t = texts();
  return (
    <Stack gap={4} align="flex-start">
      <Text size="sm">{message}</Text>
      <CopyButton value={id}>
        {({ copied, copy }) => (
          <Button size="compact-xs" variant="light" color="gray" onClick={copy}>
            {copied ? t.common.copied : `${t.errors.request}: ${id}`}
          </Button>
        )}
      </CopyButton>
    </Stack>
  );
}
