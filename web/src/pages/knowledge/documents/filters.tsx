import { Group, Select } from '@mantine/core';
import { useTexts } from '../../../i18n';
import {
  DOCUMENT_SORTS,
  DOCUMENT_STATUSES,
  DOCUMENT_TYPES,
  type DocumentSearch,
} from '../../../routes/knowledge';
import { SearchBox } from '../../settings/parts/search-box';

/** Which documents are listed; the address says it. */
export function DocumentFilters({
  search,
  change,
}: {
  search: DocumentSearch;
  change: (changed: DocumentSearch) => void;
}) {
  const t = useTexts();
  const words = t.documents;
  return (
    <Group gap="xs" role="search" wrap="wrap">
      <SearchBox value={search.q} change={(q) => change({ q })} />
      <Select
        aria-label={t.knowledge.columns.status}
        placeholder={t.knowledge.columns.status}
        data={DOCUMENT_STATUSES.map((value) => ({ value, label: t.knowledge.statuses[value] }))}
        value={search.status ?? null}
        onChange={(value) => change({ status: value ?? undefined })}
        clearable
        w={140}
      />
      <Select
        aria-label={words.columns.type}
        placeholder={words.columns.type}
        data={DOCUMENT_TYPES.map((value) => ({ value, label: words.types[value] }))}
        value={search.file ?? null}
        onChange={(value) => change({ file: value ?? undefined })}
        clearable
        w={140}
      />
      <Select
        aria-label={words.sort}
        data={DOCUMENT_SORTS.map((value) => ({ value, label: words.sorts[value] }))}
        value={search.sort ?? 'newest'}
        onChange={(value) => change({ sort: value && value !== 'newest' ? value : undefined })}
        allowDeselect={false}
        w={220}
      />
    </Group>
  );
}
