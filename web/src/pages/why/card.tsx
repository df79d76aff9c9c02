import { Badge, Button, Group, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../i18n';
import { TextLink } from '../../parts/links';
import { instructionOf } from '../agents/queries';
import type { Origin } from './origins';

/** One thing behind an answer, and the way to correct it. */
export function OriginCard({
  tenant,
  origin,
  edit,
}: {
  tenant: string;
  origin: Origin;
  /** Absent for who may not change it. */
  edit: (() => void) | undefined;
}) {
  const t = useTexts();
  const instruction = useQuery({
    ...instructionOf(tenant, origin.kind === 'instruction' ? origin.id : ''),
    enabled: origin.kind === 'instruction',
  }).data;
  const citation = origin.kind === 'passage' || origin.kind === 'item' ? origin.citation : undefined;
  const kind = origin.kind === 'item' ? origin.item : origin.kind;
  const name =
    origin.kind === 'profile'
      ? t.why.kinds.profile
      : origin.kind === 'instruction'
        ? (instruction?.title ?? t.why.kinds.instruction)
        : origin.name || t.why.kinds[kind];
  const tool = origin.kind === 'item' || origin.kind === 'profile' ? origin.tool : undefined;
  const quote =
    citation?.quote ??
    (origin.kind === 'instruction'
      ? `${instruction?.content ?? ''} · ${origin.inPrompt ? t.why.inPrompt : t.why.heeded}`
      : undefined);
  return (
    <Paper withBorder p="xs">
      <Group justify="space-between" gap="xs" align="flex-start">
        <Group gap={6} flex="1 1 180px" miw={0}>
          {citation && (
            <Text size="sm" c="dimmed">
              [{citation.number}]
            </Text>
          )}
          {citation ? (
            <TextLink
              to="/t/$tenant/knowledge/$kb/documents/$document"
              params={{ tenant, kb: citation.knowledge_base_id, document: citation.document_id }}
              search={{ chunk: citation.chunk_id }}
              size="sm"
              style={{ overflowWrap: 'anywhere' }}
            >
              {name}
              {citation.page_number != null && `, ${t.knowledge.page(citation.page_number)}`}
            </TextLink>
          ) : (
            <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
          )}
          <Badge size="sm" variant="light" color="gray" tt="none">
            {t.why.kinds[kind]}
          </Badge>
          {tool && (
            <Text size="xs" c="dimmed" w="100%">
              {t.why.fromTool(tool)}
            </Text>
          )}
        </Group>
        {edit && (
          <Button size="compact-xs" variant="light" onClick={edit} aria-label={t.why.editOf(name)}>
            {t.why.edit}
          </Button>
        )}
        {origin.kind === 'profile' && (
          <TextLink to="/t/$tenant/business" params={{ tenant }} size="xs" aria-label={t.why.openOf(name)}>
            {t.why.open}
          </TextLink>
        )}
      </Group>
      {quote && (
        <Text size="sm" c="dimmed" lineClamp={5} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {quote}
        </Text>
      )}
    </Paper>
  );
}
