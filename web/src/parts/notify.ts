import { notifications } from '@mantine/notifications';
import { ApiError } from '../api/client';
import { texts } from '../i18n';

const closing = () => ({ 'aria-label': texts().common.close });

export function done(message: string) {
  notifications.show({ message, color: 'teal', closeButtonProps: closing() });
}

/** For what failed away from where it could be shown in place. */
export function failed(error: unknown) {
  const id = error instanceof ApiError && error.requestId ? ` (${error.requestId})` : '';
  const message = error instanceof Error ? error.message : texts().errors.broken;
  notifications.show({
    title: texts().errors.title,
    message: `${message}${id}`,
    color: 'red',
    autoClose: 10_000,
    closeButtonProps: closing(),
  });
}
