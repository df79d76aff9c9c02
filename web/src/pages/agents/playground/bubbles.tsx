import { Alert, Badge, Button, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../../i18n';
import { TextLink } from '../../../parts/links';
import type { Spoken } from '../../why/queries';
import type { SavedAgent } from '../queries';
import type { Answer, Attempt } from './chat';
import { AnswerOpinion } from './opinion';
import { TurnView } from './turn';

export function QuestionBubble({ text }: { text: string }) {
  const t = useTexts();
  return (
    <Paper bg="var(--mantine-primary-color-light)" p="sm" maw="90%" style={{ alignSelf: 'flex-end' }}>
      <Text size="xs" c="dimmed">
        {t.agents.you}
      </Text>
      <Text className="thread">{text}</Text>
    </Paper>
  );
}

/** One answer, where it comes from, what happened on the way to it and what people make of it. */
export function AttemptBubble({
  tenant,
  agent,
  attempt,
  draft,
  before,
  number,
  again,
  busy,
}: {
  tenant: string;
  agent: SavedAgent;
  attempt: Attempt;
  draft: boolean;
  /** What was said up to the question and with it. */
  before: () => Spoken[];
  number: number | undefined;
  again: (() => void) | undefined;
  busy: boolean;
}) {
  const t = useTexts();
  const [open, setOpen] = useState(false);
  const { answer } = attempt;
  const waiting = attempt.stopped ? '…' : t.agents.thinking;
  const buttons = (
    <>
      {answer && (
        <Button size="compact-xs" variant="subtle" onClick={() => setOpen(!open)} aria-expanded={open}>
          {t.agents.why}
        </Button>
      )}
      {again && (
        <Button size="compact-xs" variant="subtle" onClick={again} disabled={busy}>
          {t.agents.askAgain}
        </Button>
      )}
    </>
  );
  return (
    <Paper
      withBorder
      p="sm"
      w={open ? '100%' : undefined}
      maw={open ? '100%' : '90%'}
      style={{ alignSelf: 'flex-start' }}
    >
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {agent.name}
        {number && ` · ${t.agents.attempt(number)}`}
        {attempt.tools.length > 0 && ` · ${t.agents.tool}: ${attempt.tools.join(', ')}`}
      </Text>
      <Text className="thread">{attempt.text || waiting}</Text>
      {attempt.tried && (
        <Text size="xs" c="dimmed">
          {t.why.againHelp}
        </Text>
      )}
      {attempt.stopped && (
        <Text size="xs" c="dimmed">
          {t.agents.stopped}
        </Text>
      )}
      {answer && <AnswerNotes answer={answer} />}
      {answer && <Sources tenant={tenant} answer={answer} />}
      {answer ? <AnswerOpinion turn={answer.turn_id}>{buttons}</AnswerOpinion> : attempt.stopped && buttons}
      {answer && open && (
        <TurnView tenant={tenant} agent={agent} answer={answer} draft={draft} before={before} />
      )}
    </Paper>
  );
}

/** What an answer lacks, or sets off. */
function AnswerNotes({ answer }: { answer: Answer }) {
  const t = useTexts();
  const notes = [
    ...(answer.degraded_reason ? [t.conversations.degradedReasons[answer.degraded_reason]] : []),
    ...answer.trimmed.map((what) => t.agents.trimmed[what]),
    ...(answer.handoff === 'ai' ? [] : [t.agents.handedOver]),
  ];
  return (
    <Stack gap={4} mt={notes.length > 0 ? 'xs' : 0}>
      {notes.map((note) => (
        <Alert key={note} color="ochre" p="xs">
          {note}
        </Alert>
      ))}
      {answer.temperature && (
        <Badge variant="light" color="gray" tt="none" mt={4}>
          {t.customers.temperature}: {t.customers.temperatures[answer.temperature]}
        </Badge>
      )}
    </Stack>
  );
}

/** Where each number of an answer leads. */
function Sources({ tenant, answer }: { tenant: string; answer: Answer }) {
  const t = useTexts();
  return (
    <Stack gap={4} mt={answer.citations.length > 0 ? 'xs' : 0}>
      {answer.citations.map((citation) => (
        <Text key={citation.number} size="xs">
          [{citation.number}]{' '}
          <TextLink
            to="/t/$tenant/knowledge/$kb/documents/$document"
            params={{ tenant, kb: citation.knowledge_base_id, document: citation.document_id }}
            search={{ chunk: citation.chunk_id }}
            size="xs"
            underline="always"
          >
            {citation.title ?? t.agents.sources}
            {citation.page_number != null && `, ${t.knowledge.page(citation.page_number)}`}
          </TextLink>
        </Text>
      ))}
    </Stack>
  );
}
