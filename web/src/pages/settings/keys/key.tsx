import { Badge, Box, Button, Code, Group, Paper, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { done, failed } from '../../../parts/notify';
import { useFormats } from '../formats';
import { ask } from '../parts/dialog';
import { useRights } from '../rights';

type ApiKey = Schemas['ApiKey'];

const COLOURS = { active: 'teal', expired: 'ochre', revoked: 'gray' } as const;

export function stateOf(key: ApiKey): keyof typeof COLOURS {
  if (key.revoked_at) return 'revoked';
  return key.expires_at && new Date(key.expires_at) <= new Date() ? 'expired' : 'active';
}

/** One key for programs: what it may do, until when, and when it was used last. */
export function KeyRow({ tenant, apiKey }: { tenant: string; apiKey: ApiKey }) {
  const t = useTexts();
  const { date, day } = useFormats(tenant);
  const { may } = useRights(tenant);
  const state = stateOf(apiKey);
  const until = apiKey.expires_at ? t.settings.keys.until(day(apiKey.expires_at)) : t.settings.keys.forever;
  const used = apiKey.last_used_at
    ? t.settings.keys.used(date(apiKey.last_used_at))
    : t.settings.keys.neverUsed;
  return (
    <Paper withBorder px="md" py="sm">
      <Group align="flex-start" justify="space-between" gap="sm">
        <Box flex="1 1 240px" miw={0}>
          <Group gap="xs">
            <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
              {apiKey.name}
            </Text>
            <Badge size="sm" variant="light" color={COLOURS[state]}>
              {t.settings.keys.states[state]}
            </Badge>
          </Group>
          <Text size="sm" c="dimmed">
            <Code>{apiKey.prefix}…</Code> · {t.settings.keys.created(day(apiKey.created_at))} · {until} ·{' '}
            {used}
          </Text>
          <Text size="xs" mt={4}>
            {apiKey.scopes.map((scope) => t.settings.permissions[scope]).join(' · ')}
          </Text>
        </Box>
        {state !== 'revoked' && may('keys:write') && <RevokeButton tenant={tenant} apiKey={apiKey} />}
      </Group>
    </Paper>
  );
}

function RevokeButton({ tenant, apiKey }: { tenant: string; apiKey: ApiKey }) {
  const t = useTexts();
  const queries = useQueryClient();
  const revoking = useMutation({
    mutationFn: () =>
      told(api.DELETE('/api/v1/api-keys/{api_key_id}', { params: { path: { api_key_id: apiKey.id } } })),
    onSuccess: async () => {
      done(t.settings.keys.revoked(apiKey.name));
      await queries.invalidateQueries({ queryKey: [tenant, 'keys'] });
    },
    onError: failed,
  });
  const askRevoke = () =>
    ask({
      title: t.settings.keys.revokeTitle(apiKey.name),
      text: t.settings.keys.revokeText,
      confirm: t.settings.keys.revoke,
      danger: true,
      act: () => revoking.mutate(),
    });
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="red"
      onClick={askRevoke}
      loading={revoking.isPending}
      aria-label={t.settings.keys.revokeOf(apiKey.name)}
    >
      {t.settings.keys.revoke}
    </Button>
  );
}
