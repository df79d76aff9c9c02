import { Badge, Group, Stack, Text } from '@mantine/core';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n';
import { TextLink } from '../../parts/links';
import { useFormats } from '../customers/formats';

export type WebsitePage = Schemas['Page_WebsitePage']['data'][number];

const COLOURS = { waiting: 'gray', read: 'teal', skipped: 'gray', failed: 'red', gone: 'ochre' } as const;

/** A page of a website, and the document that became of it. */
export function WebsitePageRow({ tenant, kb, page }: { tenant: string; kb: string; page: WebsitePage }) {
  const t = useTexts();
  const words = t.websites;
  const { full } = useFormats(tenant);
  return (
    <Group justify="space-between" align="flex-start" gap="xs">
      <Stack gap={0} style={{ flex: '1 1 260px', minWidth: 0 }}>
        {page.document_title && (
          <Text size="sm" fw={500}>
            {page.document_title}
          </Text>
        )}
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {page.address}
        </Text>
        {page.error_message && <Text size="xs">{page.error_message}</Text>}
      </Stack>
      <Group gap="xs">
        {page.last_seen_at && (
          <Text size="xs" c="dimmed">
            {full(page.last_seen_at)}
          </Text>
        )}
        <Badge color={COLOURS[page.state]} variant="light">
          {words.states[page.state]}
        </Badge>
        {page.document_status && page.document_status !== 'completed' && (
          <Badge color={page.document_status === 'failed' ? 'red' : 'ochre'} variant="light">
            {t.knowledge.statuses[page.document_status]}
          </Badge>
        )}
        {page.document_id && (
          <TextLink
            to="/t/$tenant/knowledge/$kb/documents/$document"
            params={{ tenant, kb, document: page.document_id }}
            size="sm"
            aria-label={`${words.document}: ${page.address}`}
          >
            {words.document}
          </TextLink>
        )}
      </Group>
    </Group>
  );
}
