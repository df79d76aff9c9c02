import { Box, Select, type SelectProps, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../../i18n';
import { Trouble } from '../../settings/parts/refusal';
import { type Connection, templatesOf } from '../queries';
import { holesOf, isApproved, templateKey } from '../template-text';

/** The customer's name, the service, the date, the time and the place. */
const FILLED = 5;

/** Which of the approved templates reminds of appointments; one that is chosen stays, whatever became of it. */
export function ReminderSelect({
  tenant,
  connection,
  ...field
}: { tenant: string; connection: Connection } & Omit<SelectProps, 'data'>) {
  const t = useTexts();
  const words = t.channels.settings;
  const found = useQuery(templatesOf(tenant, connection.id));
  const approved = found.data?.filter(isApproved) ?? [];
  const named = new Map(
    approved.map((template) => [templateKey(template), `${template.name} (${template.language})`]),
  );
  const now = connection.settings.reminder;
  if (now && !named.has(templateKey(now))) named.set(templateKey(now), `${now.name} (${now.language})`);
  const chosen = approved.find((template) => templateKey(template) === field.value);
  const holes = chosen ? holesOf(chosen.body) : FILLED;
  return (
    <Box>
      <Select
        label={words.reminder}
        description={words.reminderHelp}
        placeholder={words.reminderNone}
        data={[...named].map(([value, label]) => ({ value, label }))}
        nothingFoundMessage={t.channels.templates.none}
        searchable
        clearable
        {...field}
      />
      {holes !== FILLED && (
        <Text
          size="sm"
          mt={4}
          role="status"
          c="light-dark(var(--mantine-color-ochre-7), var(--mantine-color-ochre-3))"
        >
          {words.reminderHoles(holes)}
        </Text>
      )}
      {found.isError && (
        <Box mt="xs">
          <Trouble error={found.error} again={found.refetch} />
        </Box>
      )}
    </Box>
  );
}
