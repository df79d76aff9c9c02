import { Badge } from '@mantine/core';
import { useTexts } from '../../../i18n';
import type { Connection } from '../queries';

/** Whether a connection answers, and whether anything keeps it from that. */
export function ConnectionBadges({ connection }: { connection: Connection }) {
  const t = useTexts();
  const { status, fault } = connection;
  return (
    <>
      <Badge variant="light" color={status === 'active' ? 'teal' : 'gray'} tt="none">
        {t.channels.statuses[status]}
      </Badge>
      {fault && (
        <Badge color="ochre.8" tt="none">
          {t.channels.faulty}
        </Badge>
      )}
    </>
  );
}
