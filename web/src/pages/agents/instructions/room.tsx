import { List, Paper, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { ListSkeleton } from '../../../parts/skeletons';
import { useFormats } from '../../customers/formats';
import { MoreView } from '../playground/values';
import { statisticsOf } from '../queries';

/** How much of the prompt instructions take, and how much of it they may. */
export function PromptRoom({ tenant }: { tenant: string }) {
  const t = useTexts();
  const words = t.agents.rules;
  const { full } = useFormats(tenant);
  const statistics = useQuery(statisticsOf(tenant));
  const { data } = statistics;
  if (!data && statistics.isError)
    return <FailureNotice error={statistics.error} again={statistics.refetch} />;
  if (!data) return <ListSkeleton rows={2} />;
  const counters = [
    { text: words.places(data.in_prompt, data.most_in_prompt), share: data.in_prompt / data.most_in_prompt },
    {
      text: words.tokens(data.prompt_tokens, data.most_prompt_tokens),
      share: data.prompt_tokens / data.most_prompt_tokens,
    },
  ];
  return (
    <Paper withBorder p="md" component="section">
      <Stack gap="xs">
        <Title order={2} size="h5">
          {words.room}
        </Title>
        <SimpleGrid cols={{ base: 1, xs: 2 }} aria-live="polite">
          {counters.map(({ text, share }) => (
            <div key={text}>
              <Text size="sm">{text}</Text>
              <Progress value={share * 100} color={share >= 1 ? 'ochre' : 'teal'} aria-label={text} mt={4} />
            </div>
          ))}
        </SimpleGrid>
        <Text size="xs" c="dimmed">
          {data.can_include_more ? words.roomHelp : words.full}
          {data.total > 0 && ` ${words.counts(data.total, data.active)}.`}
        </Text>
        {data.most_told.length > 0 && (
          <MoreView label={words.told}>
            <List size="sm">
              {data.most_told.map((one) => (
                <List.Item key={one.id}>
                  {one.title}: {words.toldCount(one.count)}
                  {one.last && ` · ${full(one.last)}`}
                </List.Item>
              ))}
            </List>
          </MoreView>
        )}
      </Stack>
    </Paper>
  );
}
