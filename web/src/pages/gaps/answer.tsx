import { Blockquote, Button, Group, Paper, Stack, Text, Textarea, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, api, type Schemas, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { useGuard } from '../../parts/guard';
import { GuardedDrawer } from '../../parts/guarded-dialog';
import { TextLink } from '../../parts/links';
import { done } from '../../parts/notify';
import { isShownInPlace, problemsOf } from '../../parts/problems';
import { ListSkeleton } from '../../parts/skeletons';
import { AskedAgain } from './again';
import { answerOf, faqOf, type Gap, gapsKey, nearestTo } from './queries';

/** What the server takes. */
const LONGEST_ANSWER = 4000;
const FIELDS = ['question', 'answer'];

type Props = { tenant: string; gap: Gap | undefined; agents: Schemas['Agent'][]; close: () => void };

/** Where a gap becomes a frequent question, and is asked again to see whether that helped. */
export function GapAnswer({ tenant, gap, agents, close }: Props) {
  const t = useTexts();
  return (
    <GuardedDrawer opened={gap !== undefined} onClose={close} size="lg" title={t.gaps.answer}>
      {gap && <GapDraft key={gap.id} tenant={tenant} gap={gap} agents={agents} />}
    </GuardedDrawer>
  );
}

type GapProps = { tenant: string; gap: Gap; agents: Schemas['Agent'][] };

/** Begins with the answer that was written before, where there is one. */
function GapDraft({ gap: newest, ...props }: GapProps) {
  // What comes of it elsewhere changes nothing of what is being written.
  const [gap] = useState(newest);
  const faq = useQuery({ ...faqOf(props.tenant, gap.faq_id ?? ''), enabled: gap.faq_id != null });
  const isGone = faq.error instanceof ApiError && faq.error.status === 404;
  if (gap.faq_id != null && faq.isPending) return <ListSkeleton />;
  if (faq.isError && !faq.data && !isGone) return <FailureNotice error={faq.error} again={faq.refetch} />;
  return <GapForm {...props} gap={gap} written={faq.data?.answer ?? ''} />;
}

function GapForm({ tenant, gap, agents, written }: GapProps & { written: string }) {
  const t = useTexts();
  const queries = useQueryClient();
  const form = useForm({ initialValues: { question: gap.question, answer: written } });
  useGuard(() => form.isDirty());
  const [round, setRound] = useState(0);
  const unhelpful = gap.questions.find((one) => one.reason === 'unhelpful')?.turn_id;
  const earlier = useQuery({ ...answerOf(tenant, unhelpful ?? ''), enabled: unhelpful !== undefined });
  const agent = agents.find((one) => gap.agents.includes(one.id)) ?? agents[0];
  const answering = useMutation({
    mutationFn: (body: typeof form.values) =>
      told(api.POST('/api/v1/gaps/{turn_id}/answer', { params: { path: { turn_id: gap.id } }, body })),
    onSuccess: async (_, body) => {
      done(t.gaps.answered);
      form.resetDirty(body);
      setRound((before) => before + 1);
      await Promise.all([
        queries.invalidateQueries({ queryKey: gapsKey(tenant) }),
        queries.invalidateQueries({ queryKey: [tenant, 'business'] }),
      ]);
    },
    onError: (error) => form.setErrors(problemsOf(error, t)),
  });
  /** A passage goes after what is written, which may be the better half. */
  const take = (text: string) => {
    const typed = form.values.answer.trim();
    form.setFieldValue('answer', (typed ? `${typed}\n\n${text}` : text).slice(0, LONGEST_ANSWER));
  };
  return (
    <Stack>
      <form onSubmit={form.onSubmit((values) => answering.mutate(values))}>
        <Stack>
          {answering.isError && !isShownInPlace(answering.error, FIELDS) && (
            <FailureNotice error={answering.error} />
          )}
          {earlier.data && <EarlierAnswer turn={earlier.data} />}
          <Textarea
            label={t.gaps.question}
            required
            maxLength={300}
            autosize
            {...form.getInputProps('question')}
          />
          <Textarea
            label={t.gaps.answerLabel}
            description={t.gaps.answerHelp}
            required
            maxLength={LONGEST_ANSWER}
            autosize
            minRows={3}
            data-autofocus
            {...form.getInputProps('answer')}
          />
          <Group>
            <Button type="submit" loading={answering.isPending} disabled={round > 0 && !form.isDirty()}>
              {t.gaps.save}
            </Button>
          </Group>
        </Stack>
      </form>
      {agent && round > 0 && (
        <AskedAgain agent={agent.slug} question={gap.question} round={round} before={earlier.data?.answer} />
      )}
      {agent && <NearestPassages tenant={tenant} agent={agent.slug} question={gap.question} take={take} />}
    </Stack>
  );
}

/** What was answered before, which somebody said did not help. */
function EarlierAnswer({ turn }: { turn: Schemas['TurnDetails'] }) {
  const t = useTexts();
  return (
    <div>
      <Text size="sm" fw={600}>
        {t.gaps.earlier}
      </Text>
      <Blockquote p="sm" mt={4} fz="sm" color="gray">
        <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {turn.answer}
        </Text>
      </Blockquote>
    </div>
  );
}

/** What the agent knows that comes nearest, to write from or to see why it did not help. */
function NearestPassages(props: {
  tenant: string;
  agent: string;
  question: string;
  take: (text: string) => void;
}) {
  const t = useTexts();
  const { tenant, agent, question, take } = props;
  const found = useQuery(nearestTo(tenant, agent, question));
  if (found.isError && !found.data) return <FailureNotice error={found.error} again={found.refetch} />;
  const passages = found.data?.chunks ?? [];
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t.gaps.nearest}
      </Title>
      {found.isSuccess && passages.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.gaps.nothingNear}
        </Text>
      )}
      {passages.map((passage) => (
        <Paper key={passage.chunk_id} withBorder p="xs">
          <Group justify="space-between" wrap="nowrap">
            <TextLink
              to="/t/$tenant/knowledge/$kb/documents/$document"
              params={{ tenant, kb: passage.knowledge_base_id, document: passage.document_id }}
              search={{ chunk: passage.chunk_id }}
              size="sm"
              truncate
            >
              {passage.document_name ?? t.conversations.untitled}
            </TextLink>
            <Text size="sm" c="dimmed">
              {Math.round(passage.similarity_score * 100)} %
            </Text>
          </Group>
          <Text size="sm" c="dimmed" lineClamp={4} style={{ overflowWrap: 'anywhere' }}>
            {passage.content}
          </Text>
          <Button size="compact-xs" variant="subtle" mt={4} onClick={() => take(passage.content)}>
            {t.gaps.take}
          </Button>
        </Paper>
      ))}
    </Stack>
  );
}
