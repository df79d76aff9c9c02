import { Button, Group, Select, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTexts } from '../../../i18n';
import type { AuditSearch } from '../../../routes/settings';
import { midnight } from '../../metrics/periods';
import { type AuditFilter, keysOf, membersOf } from '../queries';
import type { useNames } from './names';

/** What the server is asked for: days are those of the business. */
export function filterOf(search: AuditSearch, zone: string | undefined): AuditFilter {
  const start = (day: string, more: number) =>
    midnight(new Date(`${day}T12:00:00Z`), zone ?? 'UTC', -more).toISOString();
  return {
    ...(search.who ? { actor: search.who } : {}),
    ...(search.about ? { about: search.about } : {}),
    ...(search.from ? { from: start(search.from, 0) } : {}),
    ...(search.to ? { to: start(search.to, 1) } : {}),
  };
}

/** Who, what and when, kept in the address. */
export function AuditFilters({
  tenant,
  search,
  names,
}: {
  tenant: string;
  search: AuditSearch;
  names: ReturnType<typeof useNames>;
}) {
  const t = useTexts();
  const navigate = useNavigate({ from: '/t/$tenant/settings/audit' });
  const members = useInfiniteQuery(membersOf(tenant)).data?.pages.flatMap((page) => page.data) ?? [];
  const keys = useInfiniteQuery(keysOf(tenant)).data?.pages.flatMap((page) => page.data) ?? [];
  const who = [
    ...members.map((member) => `user:${member.user_id}`),
    ...keys.map((key) => `api_key:${key.id}`),
    'n8n',
    'system',
  ];
  if (search.who && !who.includes(search.who)) who.unshift(search.who);
  const about = [
    ...new Set(Object.keys(t.settings.audit.actions).map((action) => action.split('.')[0] ?? '')),
  ];
  const subjects: Record<string, string> = t.settings.audit.subjects;
  const change = (changed: AuditSearch) =>
    navigate({ search: (old) => ({ ...old, ...changed }), replace: true });
  const words = t.settings.audit;
  const isFiltered = search.who || search.about || search.from || search.to;
  return (
    <Group gap="sm" align="flex-end">
      <Select
        label={words.who}
        data={who.map((value) => ({ value, label: names.actor(value) }))}
        value={search.who ?? null}
        onChange={(value) => change({ who: value ?? undefined })}
        placeholder={words.anybody}
        clearable
        searchable
        w={{ base: '100%', xs: 190 }}
      />
      <Select
        label={words.about}
        data={about.map((value) => ({ value, label: subjects[value] ?? value }))}
        value={search.about ?? null}
        onChange={(value) => change({ about: value ?? undefined })}
        placeholder={words.anything}
        clearable
        searchable
        w={{ base: '100%', xs: 190 }}
      />
      <TextInput
        label={words.from}
        type="date"
        value={search.from ?? ''}
        onChange={(event) => change({ from: event.currentTarget.value || undefined })}
      />
      <TextInput
        label={words.to}
        type="date"
        value={search.to ?? ''}
        onChange={(event) => change({ to: event.currentTarget.value || undefined })}
      />
      {isFiltered && (
        <Button variant="subtle" onClick={() => navigate({ search: { q: search.q }, replace: true })}>
          {words.clear}
        </Button>
      )}
    </Group>
  );
}
