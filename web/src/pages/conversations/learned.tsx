import { Badge, Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { GuardedDrawer } from '../../parts/guarded-dialog';
import { ListSkeleton } from '../../parts/skeletons';
import { ProposalForm } from './proposal';
import { proposalsOf } from './queries';

/** Leads to everything that waits to be learned; absent where nothing does. */
export function LearnedButton({ tenant }: { tenant: string }) {
  const t = useTexts();
  const [opened, { open, close }] = useDisclosure();
  const list = useInfiniteQuery(proposalsOf(tenant));
  const count = list.data?.pages.reduce((sum, page) => sum + page.data.length, 0) ?? 0;
  if (count === 0 && !opened) return null;
  return (
    <>
      <Button
        size="compact-sm"
        variant="light"
        color="ochre"
        onClick={open}
        rightSection={
          <Badge size="sm" circle color="ochre.8">
            {count}
          </Badge>
        }
      >
        {t.conversations.toLearn}
      </Button>
      <LearnedDrawer tenant={tenant} opened={opened} close={close} />
    </>
  );
}

/** What people answered in an agent's place, for somebody to say whether agents should know it. */
export function LearnedDrawer({
  tenant,
  of,
  opened,
  close,
}: {
  tenant: string;
  /** A conversation, when only what was said there is wanted. */
  of?: string;
  opened: boolean;
  close: () => void;
}) {
  const t = useTexts();
  const list = useInfiniteQuery({ ...proposalsOf(tenant), enabled: opened });
  const all = list.data?.pages.flatMap((page) => page.data) ?? [];
  const proposals = all.filter((one) => !of || one.conversation_id === of);
  return (
    <GuardedDrawer opened={opened} onClose={close} size="lg" title={t.conversations.learnTitle}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t.conversations.learnIntro}
        </Text>
        {list.isError && <FailureNotice error={list.error} again={list.refetch} />}
        {opened && list.isPending && <ListSkeleton rows={3} />}
        {list.isSuccess && proposals.length === 0 && <Text>{t.conversations.nothingToLearn}</Text>}
        {proposals.map((one) => (
          <ProposalForm key={one.id} tenant={tenant} proposal={one} linked={!of} leave={close} />
        ))}
        {list.hasNextPage && (
          <Button variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            {t.common.more}
          </Button>
        )}
      </Stack>
    </GuardedDrawer>
  );
}
