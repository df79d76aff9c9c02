import { Badge, Box, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../i18n';
import { EmptyState } from '../../parts/page';
import { ListSkeleton } from '../../parts/skeletons';
import { LongList } from '../settings/parts/long-list';
import { Trouble } from '../settings/parts/refusal';
import { type Connection, type Template, templatesOf } from './queries';
import { isApproved, templateKey } from './template-text';

/** The templates of an account, as its channel has them. */
export function TemplatesTab({ tenant, connection }: { tenant: string; connection: Connection }) {
  const t = useTexts();
  const words = t.channels.templates;
  const found = useQuery(templatesOf(tenant, connection.id));
  if (found.isPending) return <ListSkeleton />;
  if (found.isLoadingError) return <Trouble error={found.error} again={found.refetch} />;
  return (
    <Stack maw={880}>
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed" flex="1 1 260px">
          {words.intro}
        </Text>
        <Button size="xs" variant="default" loading={found.isFetching} onClick={() => void found.refetch()}>
          {words.refresh}
        </Button>
      </Group>
      {found.data.length === 0 ? (
        <EmptyState title={words.emptyTitle} text={words.emptyText} />
      ) : (
        <LongList
          label={t.channels.tabs.templates}
          items={found.data}
          keyOf={templateKey}
          render={(template) => <TemplateRow template={template} />}
        />
      )}
    </Stack>
  );
}

function TemplateRow({ template }: { template: Template }) {
  const t = useTexts();
  const words = t.channels.templates;
  const statuses: Record<string, string> = words.statuses;
  const categories: Record<string, string> = words.categories;
  const { name, language, status, category, body } = template;
  return (
    <Paper withBorder px="md" py="sm">
      <Group justify="space-between" align="flex-start" gap="xs" wrap="nowrap">
        <Box miw={0}>
          <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Text size="xs" c="dimmed">
            {language} · {categories[category] ?? category}
          </Text>
          <Text size="sm" mt={4} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            {body || words.noText}
          </Text>
        </Box>
        <Badge
          variant="light"
          color={isApproved(template) ? 'teal' : 'gray'}
          tt="none"
          style={{ flexShrink: 0 }}
        >
          {statuses[status] ?? status}
        </Badge>
      </Group>
    </Paper>
  );
}
