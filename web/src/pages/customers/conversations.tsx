import { Button, Group, Menu, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { CardLink } from '../../parts/links';
import { failed } from '../../parts/notify';
import { ModeBadge } from '../conversations/row';
import { useOnce } from '../settings/once';
import { useFormats } from './formats';
import { PartList } from './parts';
import { CHANNELS, type Channel, conversationsOfLead, leadChanged } from './queries';

/** Everything that was said with one customer, and a way to begin anew. */
export function CustomerThreads({ tenant, lead }: { tenant: string; lead: string }) {
  const t = useTexts();
  const formats = useFormats(tenant);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const list = useInfiniteQuery(conversationsOfLead(tenant, lead));
  const rows = list.data?.pages.flatMap((page) => page.data) ?? [];
  // Asked for again after a failure, it is the same conversation.
  const key = useOnce();
  const beginning = useMutation({
    mutationFn: (channel: Channel) => {
      const body = { lead_id: lead, channel };
      return told(api.POST('/api/v1/conversations', { body, params: { header: key.header(body) } }));
    },
    onSuccess: async (conversation) => {
      key.forget();
      void leadChanged(queries, tenant);
      await navigate({
        to: '/t/$tenant/conversations/$conversation',
        params: { tenant, conversation: conversation.id },
      });
    },
    onError: failed,
  });
  return (
    <Stack maw={760}>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button variant="light" loading={beginning.isPending} style={{ alignSelf: 'flex-start' }}>
            {t.customers.beginThread}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t.customers.channel}</Menu.Label>
          {CHANNELS.map((channel) => (
            <Menu.Item key={channel} onClick={() => beginning.mutate(channel)}>
              {t.customers.channels[channel]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <PartList list={list} empty={rows.length === 0 ? t.customers.noThreads : undefined}>
        {rows.map((row) => (
          <CardLink
            key={row.id}
            to="/t/$tenant/conversations/$conversation"
            params={{ tenant, conversation: row.id }}
            p="sm"
          >
            <Group justify="space-between">
              <Group gap="xs">
                <Text fw={600}>{t.customers.channels[row.channel]}</Text>
                <ModeBadge mode={row.handoff.mode} />
                {row.status === 'closed' && (
                  <Text size="xs" c="dimmed">
                    {t.conversations.isClosed}
                  </Text>
                )}
              </Group>
              <Text size="sm" c="dimmed">
                {formats.full(row.last_message_at ?? row.created_at)}
              </Text>
            </Group>
          </CardLink>
        ))}
      </PartList>
    </Stack>
  );
}
