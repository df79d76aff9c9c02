import { Box, Button, Group, Skeleton, Text } from '@mantine/core';
import { memo } from 'react';
import { useTexts } from '../../../i18n';
import { TextLink } from '../../../parts/links';
import type { Formats } from '../../settings/formats';
import type { Document } from '../queries';
import { type DocumentActs, DocumentMenu } from './actions';
import classes from './documents.module.css';
import { DocumentState } from './status';
import { nameOf } from './wanted';

export type RowProps = {
  tenant: string;
  kb: string;
  document: Document;
  writes: boolean;
  previews: boolean;
  chosen: boolean;
  choose: (id: string, chosen: boolean) => void;
  formats: Formats;
  acts: DocumentActs;
};

export function ComingRow({ writes }: { writes: boolean }) {
  return (
    <Box className={classes.row} data-editable={writes} role="row">
      <Box role="cell" style={{ gridColumn: '1 / -1' }}>
        <Skeleton height={20} />
      </Box>
    </Box>
  );
}

/** One document: what it is called, how it is, and what can be done with it. */
export const DocumentRow = memo(function DocumentRow({
  tenant,
  kb,
  document,
  writes,
  previews,
  chosen,
  choose,
  formats,
  acts,
}: RowProps) {
  const t = useTexts();
  const words = t.documents;
  const name = nameOf(document);
  const type = document.file_type ?? (document.source === 'file' ? undefined : document.source);
  const typed = type ? words.types[type] : '—';
  const chunks = formats.number(document.chunks_count);
  const size = formats.bytes(document.size_bytes);
  const failed = document.status === 'failed';
  return (
    <Box className={classes.row} data-editable={writes} data-chosen={chosen} role="row">
      {writes && (
        <Box className={classes.check} role="cell">
          <input
            type="checkbox"
            className={classes.box}
            aria-label={name}
            checked={chosen}
            onChange={(event) => choose(document.id, event.currentTarget.checked)}
          />
        </Box>
      )}
      <Box className={classes.name} role="cell">
        <TextLink
          to="/t/$tenant/knowledge/$kb/documents/$document"
          params={{ tenant, kb, document: document.id }}
          size="sm"
          style={{ overflowWrap: 'anywhere' }}
        >
          {name}
        </TextLink>
        {document.original_filename && document.original_filename !== name && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {document.original_filename}
          </Text>
        )}
        {previews && document.preview && (
          <Text size="xs" c="dimmed" lineClamp={2}>
            {document.preview}
          </Text>
        )}
        {failed && (
          <Group gap={6} align="baseline">
            <Text size="xs" c="var(--mantine-color-error)" style={{ overflowWrap: 'anywhere' }}>
              {document.error_message ?? words.failedPlainly}
            </Text>
            {writes && (
              <Button size="compact-xs" variant="subtle" onClick={() => acts.again(document)}>
                {t.common.retry}
              </Button>
            )}
          </Group>
        )}
      </Box>
      <Box className={classes.wide} role="cell">
        {typed}
      </Box>
      <Box className={`${classes.wide} ${classes.number}`} role="cell">
        {size}
      </Box>
      <Box className={classes.status} role="cell">
        <DocumentState document={document} />
      </Box>
      <Box className={`${classes.wide} ${classes.number}`} role="cell">
        {chunks}
      </Box>
      <Box className={classes.wide} role="cell">
        {formats.day(document.created_at)}
      </Box>
      <Box className={classes.facts} role="cell">
        {typed} · {size} · {t.knowledge.chunks(document.chunks_count)}
      </Box>
      <Box className={classes.menu} role="cell">
        <DocumentMenu tenant={tenant} kb={kb} document={document} writes={writes} acts={acts} />
      </Box>
    </Box>
  );
});
