import { Alert, List, Text } from '@mantine/core';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';

/** What had no room in a prompt. */
export function LeftOut({ leftOut }: { leftOut: Schemas['PromptLeftOut'] }) {
  const t = useTexts();
  const words = t.agents.prompt;
  const { critical_instructions, system_instructions, pieces } = leftOut;
  const lines = [
    ...(critical_instructions > 0 ? [words.leftOutCritical(critical_instructions)] : []),
    ...(system_instructions ? [words.leftOutOwn] : []),
    ...(pieces > 0 ? [words.leftOutPieces(pieces)] : []),
  ];
  if (lines.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {words.nothingLeftOut}
      </Text>
    );
  return (
    <Alert color="ochre" title={words.leftOut}>
      <List size="sm">
        {lines.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
