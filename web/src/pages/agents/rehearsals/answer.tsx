import { Badge, Box, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useMemo } from 'react';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { differencesIn } from './differences';

type Answer = Schemas['RehearsedAnswer'];

/** One of two answers, with what the other does not say marked by more than a colour. */
export function AnswerView({
  title,
  answer,
  other,
  kind,
}: {
  title: string;
  answer: Answer | null | undefined;
  other: Answer | null | undefined;
  kind: 'added' | 'removed';
}) {
  const t = useTexts();
  const words = t.rehearsals;
  const pieces = useMemo(
    () => differencesIn(answer?.text ?? '', other?.text ?? '', kind),
    [answer?.text, other?.text, kind],
  );
  return (
    <Box miw={0} component="section" aria-label={title}>
      <Text size="xs" fw={650} c="dimmed" mb={4}>
        {title}
      </Text>
      {!answer && (
        <Text size="sm" c="dimmed">
          {words.nobody}
        </Text>
      )}
      {answer && (
        <Stack gap={6}>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {answer.text === '' && words.silent}
            {pieces.map((piece) => {
              if (piece.kind === 'same') return <span key={piece.at}>{piece.text}</span>;
              const Marked = piece.kind === 'added' ? 'ins' : 'del';
              return (
                <Marked key={piece.at} style={MARKS[piece.kind]}>
                  <VisuallyHidden>{piece.kind === 'added' ? words.added : words.removed} </VisuallyHidden>
                  {piece.text}
                </Marked>
              );
            })}
          </Text>
          <Facts answer={answer} />
        </Stack>
      )}
    </Box>
  );
}

const MARKS = {
  added: {
    background: 'var(--mantine-color-teal-light)',
    textDecoration: 'underline',
    textDecorationThickness: 2,
  },
  removed: { background: 'var(--mantine-color-ochre-light)', textDecoration: 'line-through' },
} as const;

/** What was done and cited for an answer. */
function Facts({ answer }: { answer: Answer }) {
  const t = useTexts();
  const words = t.rehearsals;
  const { tools = [], citations = [] } = answer;
  const wrote = tools.filter((call) => call.writes);
  return (
    <>
      {(answer.by_person || answer.escalated || answer.degraded) && (
        <Group gap={4}>
          {answer.by_person && <Mark text={words.byPerson} />}
          {answer.escalated && <Mark text={words.handed} />}
          {answer.degraded && <Mark text={words.degraded} />}
        </Group>
      )}
      {wrote.length > 0 && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {words.did}: {wrote.map((call) => (call.error ? words.tried(call.tool) : call.tool)).join(', ')}
        </Text>
      )}
      {citations.length > 0 && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {words.sources}: {citations.join(', ')}
        </Text>
      )}
    </>
  );
}

function Mark({ text }: { text: string }) {
  return (
    <Badge size="sm" variant="light" color="ochre" tt="none">
      {text}
    </Badge>
  );
}
