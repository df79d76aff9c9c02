import { Box, Group, Text, Title } from '@mantine/core';
import { Outlet, useParams, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTexts } from '../../i18n';
import { useRights } from '../settings/rights';
import { InboxFilters } from './filters';
import styles from './inbox.module.css';
import { LearnedButton } from './learned';
import { ConversationList } from './list';

const ROUTE = '/inside/t/$tenant/conversations';

/** Everything that is said to customers: the list, and beside it or in its place one thread. */
export function ConversationsPage() {
  const t = useTexts();
  const { tenant } = useParams({ from: ROUTE });
  const search = useSearch({ from: ROUTE });
  const { conversation } = useParams({ strict: false });
  const { may } = useRights(tenant);
  useEffect(() => {
    if (!conversation) document.title = `${t.conversations.title} · Quipu`;
  }, [conversation, t]);
  return (
    <Box className={styles.inbox} data-open={conversation ? true : undefined}>
      <Box className={styles.side}>
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Title order={1} size="h3">
            {t.conversations.title}
          </Title>
          {may('business:write') && <LearnedButton tenant={tenant} />}
        </Group>
        <InboxFilters tenant={tenant} search={search} />
        <ConversationList
          key={`${tenant} ${JSON.stringify(search)}`}
          tenant={tenant}
          search={search}
          open={conversation}
        />
      </Box>
      <Box className={styles.main}>
        {conversation ? (
          <Outlet />
        ) : (
          <Text c="dimmed" m="auto">
            {t.conversations.choose}
          </Text>
        )}
      </Box>
    </Box>
  );
}
