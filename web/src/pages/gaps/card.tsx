import { Badge, Button, Group, List, Paper, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { TextLink } from '../../parts/links';
import { done } from '../../parts/notify';
import { useFormats } from '../customers/formats';
import { type Gap, gapsKey } from './queries';

/** How many of its questions a gap shows. */
const SHOWN = 3;

/** Something that was asked in vain, the words in which it was, and what can be done about it. */
export function GapCard({
  tenant,
  gap,
  agents,
  open,
}: {
  tenant: string;
  gap: Gap;
  agents: Schemas['Agent'][];
  /** Left out for who may only look. */
  open?: (() => void) | undefined;
}) {
  const t = useTexts();
  const { full } = useFormats(tenant);
  const queries = useQueryClient();
  const params = { path: { turn_id: gap.id } };
  const deciding = useMutation({
    mutationFn: (what: 'dismiss' | 'reopen') =>
      told(
        what === 'dismiss'
          ? api.POST('/api/v1/gaps/{turn_id}/dismiss', { params })
          : api.POST('/api/v1/gaps/{turn_id}/reopen', { params }),
      ),
    onSuccess: async (_, what) => {
      done(what === 'dismiss' ? t.gaps.dismissed : t.gaps.reopened);
      await queries.invalidateQueries({ queryKey: gapsKey(tenant) });
    },
  });
  const asked = agents.filter((agent) => gap.agents.includes(agent.id)).map((agent) => agent.name);
  const others = gap.questions.filter((one) => one.question !== gap.question).slice(0, SHOWN);
  const unhelpful = gap.questions.some((one) => one.reason === 'unhelpful');
  const thread = gap.questions.find((one) => one.conversation_id)?.conversation_id;
  return (
    <Paper withBorder p="md" component="article" aria-label={gap.question}>
      <Stack gap="xs">
        {deciding.isError && <FailureNotice error={deciding.error} />}
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {gap.question}
          </Text>
          <Badge variant="light" color="ochre" tt="none" style={{ flexShrink: 0 }}>
            {t.gaps.asked(gap.asked)}
          </Badge>
        </Group>
        <Group gap={6}>
          {unhelpful && (
            <Badge size="sm" variant="outline" color="gray" tt="none">
              {t.gaps.unhelpful}
            </Badge>
          )}
          {gap.status === 'open' && gap.faq_id && (
            <Badge size="sm" variant="outline" color="ochre" tt="none">
              {t.gaps.askedAgain}
            </Badge>
          )}
          <Text size="sm" c="dimmed">
            {[gap.customers > 0 && t.gaps.customers(gap.customers), asked.join(', '), full(gap.last_asked_at)]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        </Group>
        {others.length > 0 && (
          <List size="sm" c="dimmed">
            {others.map((one) => (
              <List.Item key={one.turn_id} style={{ overflowWrap: 'anywhere' }}>
                {one.question}
              </List.Item>
            ))}
          </List>
        )}
        <Group gap="xs">
          {open && (
            <>
              <Button size="xs" onClick={open}>
                {gap.faq_id ? t.gaps.answerAgain : t.gaps.answer}
              </Button>
              <Button
                size="xs"
                variant="default"
                loading={deciding.isPending}
                onClick={() => deciding.mutate(gap.status === 'open' ? 'dismiss' : 'reopen')}
              >
                {gap.status === 'open' ? t.gaps.dismiss : t.gaps.reopen}
              </Button>
            </>
          )}
          {thread && (
            <TextLink
              to="/t/$tenant/conversations/$conversation"
              params={{ tenant, conversation: thread }}
              size="sm"
            >
              {t.gaps.thread}
            </TextLink>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}
