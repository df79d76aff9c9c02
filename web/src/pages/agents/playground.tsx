import { Button, Collapse, Group, Paper, Stack, Table, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError, api, errorOf, type Schemas, told } from '../../api/client';
import { events } from '../../api/stream';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { TextLink } from '../../parts/links';

type Answer = Schemas['ChatAnswer'];
type Line = { key: number; role: 'user' | 'assistant'; text: string; answer?: Answer; tools: string[] };

/** A conversation with an agent that nobody else sees. */
export function Playground({ tenant, agent }: { tenant: string; agent: Schemas['Agent'] }) {
  const t = useTexts();
  const [lines, setLines] = useState<Line[]>([]);
  const [typed, setTyped] = useState('');
  const [failure, setFailure] = useState<unknown>();
  const [writing, setWriting] = useState(false);
  const key = useRef(0);
  const stopping = useRef<AbortController>(null);

  const line = (role: Line['role'], text: string): Line => {
    key.current += 1;
    return { key: key.current, role, text, tools: [] };
  };

  const send = async () => {
    const text = typed.trim();
    if (!text || writing) return;
    const before = [...lines, line('user', text)];
    const reply = line('assistant', '');
    setLines([...before, reply]);
    setTyped('');
    setFailure(undefined);
    setWriting(true);
    const change = (changed: (reply: Line) => Line) =>
      setLines((all) => all.map((one) => (one.key === reply.key ? changed(one) : one)));
    stopping.current = new AbortController();
    try {
      const body = JSON.stringify({
        messages: before.filter((one) => one.text).map((one) => ({ role: one.role, content: one.text })),
        stream: true,
      });
      const path = `/api/agents/${agent.id}/chat`;
      const init = {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'application/json' },
        signal: stopping.current.signal,
      };
      for await (const event of events(path, init)) {
        const data = JSON.parse(event.data);
        if (event.event === 'delta') change((one) => ({ ...one, text: one.text + data.text }));
        else if (event.event === 'tool') change((one) => ({ ...one, tools: [...one.tools, data.name] }));
        else if (event.event === 'done')
          change((one) => ({ ...one, text: data.message.content, answer: data }));
        else if (event.event === 'error') throw errorOf(500, { error: data.error ?? data });
      }
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'AbortError')) {
        setFailure(error instanceof ApiError ? error : new ApiError(0, 'NETWORK', t.errors.network));
        setLines(before);
      }
    } finally {
      setWriting(false);
    }
  };

  const restart = () => {
    stopping.current?.abort();
    setLines([]);
    setFailure(undefined);
  };

  return (
    <Stack maw={760}>
      <Stack gap="sm" role="log" aria-live="polite" aria-busy={writing}>
        {lines.length === 0 && <Text c="dimmed">{t.agents.hello}</Text>}
        {lines.map((one) => (
          <Paper
            key={one.key}
            withBorder={one.role === 'assistant'}
            bg={one.role === 'user' ? 'var(--mantine-primary-color-light)' : undefined}
            p="sm"
            maw="90%"
            style={{ alignSelf: one.role === 'user' ? 'flex-end' : 'flex-start' }}
          >
            <Text size="xs" c="dimmed">
              {one.role === 'user' ? t.agents.you : agent.name}
              {one.tools.length > 0 && ` · ${t.agents.tool}: ${one.tools.join(', ')}`}
            </Text>
            <Text className="thread">{one.text || t.agents.thinking}</Text>
            {one.answer && <AnswerFooter tenant={tenant} answer={one.answer} />}
          </Paper>
        ))}
      </Stack>
      {failure !== undefined && <FailureNotice error={failure} />}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <Group align="flex-end" gap="xs">
          <Textarea
            aria-label={t.agents.say}
            placeholder={t.agents.say}
            autosize
            maxRows={6}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.shiftKey) {
                event.preventDefault();
                void send();
              }
            }}
            style={{ flex: 1 }}
          />
          <Button type="submit" loading={writing}>
            {t.agents.send}
          </Button>
          <Button variant="default" onClick={restart} disabled={lines.length === 0}>
            {t.agents.restart}
          </Button>
        </Group>
      </form>
    </Stack>
  );
}

/** Where an answer comes from, and what happened on the way to it. */
function AnswerFooter({ tenant, answer }: { tenant: string; answer: Answer }) {
  const t = useTexts();
  const [open, setOpen] = useState(false);
  return (
    <Stack gap={4} mt="xs">
      {answer.citations.map((citation) => (
        <Text key={citation.number} size="xs">
          [{citation.number}]{' '}
          <TextLink
            to="/t/$tenant/knowledge/$kb/documents/$document"
            params={{ tenant, kb: citation.knowledge_base_id, document: citation.document_id }}
            search={{ chunk: citation.chunk_id }}
            size="xs"
          >
            {citation.title ?? t.agents.sources}
            {citation.page_number != null && `, ${t.knowledge.page(citation.page_number)}`}
          </TextLink>
        </Text>
      ))}
      <Button
        size="compact-xs"
        variant="subtle"
        onClick={() => setOpen(!open)}
        aria-expanded={open}
        style={{ alignSelf: 'flex-start' }}
      >
        {t.agents.why}
      </Button>
      <Collapse expanded={open}>{open && <TurnSteps tenant={tenant} turn={answer.turn_id} />}</Collapse>
    </Stack>
  );
}

/** Every step of a turn, in its order, with what it was about. */
function TurnSteps({ tenant, turn }: { tenant: string; turn: string }) {
  const t = useTexts();
  const found = useQuery({
    queryKey: [tenant, 'turns', turn],
    // A stranger's turn is written down a moment after it was answered.
    retry: 5,
    retryDelay: 500,
    queryFn: () => told(api.GET('/api/v1/turns/{turn_id}', { params: { path: { turn_id: turn } } })),
  });
  if (found.isError) return <FailureNotice error={found.error} again={found.refetch} />;
  return (
    <Table aria-label={t.agents.steps} fz="xs">
      <Table.Tbody>
        {found.data?.trace.steps.map((step) => (
          <Table.Tr key={`${step.at_us}-${step.name}`}>
            <Table.Td fw={600}>{step.name}</Table.Td>
            <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
              {(step.took_us / 1000).toFixed(1)} ms
            </Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{JSON.stringify(step.details)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
