import { Paper, SimpleGrid, Text, Title, VisuallyHidden } from '@mantine/core';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import type { FieldDifference } from '../queries';
import styles from './difference.module.css';
import { useFieldWords } from './labels';

type Props = { tenant: string; fields: FieldDifference[] };

/** What is not the same, field by field: before beside after, or above it on a phone. */
export function DifferenceList({ tenant, fields }: Props) {
  const t = useTexts();
  const { nameOf, textOf, inOrder } = useFieldWords(tenant);
  if (fields.length === 0) return <Text size="sm">{t.versions.same}</Text>;
  return (
    <Paper withBorder component="section" aria-label={t.versions.changes}>
      {fields.toSorted(inOrder).map((field) => (
        <div key={field.path} className={styles.field}>
          <Title order={3} size="h6" style={{ overflowWrap: 'anywhere' }}>
            {nameOf(field.path)}
          </Title>
          {field.lines.length > 0 ? (
            <LineList lines={field.lines} label={nameOf(field.path)} />
          ) : (
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" verticalSpacing={2} mt={2}>
              <OneValue name={t.versions.before} value={textOf(field.path, field.before)} />
              <OneValue name={t.versions.after} value={textOf(field.path, field.after)} />
            </SimpleGrid>
          )}
        </div>
      ))}
    </Paper>
  );
}

function OneValue({ name, value }: { name: string; value: string }) {
  return (
    <Text size="sm" className={styles.value}>
      <Text span size="xs" c="dimmed">
        {name}
      </Text>{' '}
      {value}
    </Text>
  );
}

const SIGNS = { same: '', added: '+', removed: '−' } as const;

/** A text with what was added to it and taken from it. */
export function LineList({ lines, label }: { lines: Schemas['LineDifference'][]; label: string }) {
  const t = useTexts();
  const spoken = { same: '', added: t.versions.added, removed: t.versions.removed };
  const looks = { same: '', added: styles.added, removed: styles.removed };
  return (
    <ul className={styles.lines} aria-label={`${label}: ${t.versions.lines}`} style={{ marginTop: 8 }}>
      {lines.map(({ change, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name, and their order is what they are
        <li key={at} className={`${styles.line} ${looks[change]}`}>
          <Text span size="sm" className={styles.sign} aria-hidden>
            {SIGNS[change]}
          </Text>
          <Text span size="sm" className={styles.text}>
            {change !== 'same' && <VisuallyHidden>{spoken[change]} </VisuallyHidden>}
            {text}
          </Text>
        </li>
      ))}
    </ul>
  );
}
