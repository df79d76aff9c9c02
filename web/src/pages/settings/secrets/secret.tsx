import { Box, Button, Code, Group, Paper, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { done, failed } from '../../../parts/notify';
import { useFormats } from '../formats';
import { ask } from '../parts/dialog';
import { useRights } from '../rights';
import { isKnown } from './names';

/** One secret by its name and the end of its value. */
export function SecretRow({
  tenant,
  secret,
  edit,
}: {
  tenant: string;
  secret: Schemas['SecretInfo'];
  edit: () => void;
}) {
  const t = useTexts();
  const queries = useQueryClient();
  const { date } = useFormats(tenant);
  const { may } = useRights(tenant);
  const use = isKnown(secret.name) ? t.settings.secrets.known[secret.name] : t.settings.secrets.own;
  const deleting = useMutation({
    mutationFn: () =>
      told(api.DELETE('/api/v1/secrets/{secret_name}', { params: { path: { secret_name: secret.name } } })),
    onSuccess: async () => {
      done(t.settings.secrets.deleted(secret.name));
      await queries.invalidateQueries({ queryKey: [tenant, 'secrets'] });
    },
    onError: failed,
  });
  const askDelete = () =>
    ask({
      title: t.settings.secrets.deleteTitle(secret.name),
      text: t.settings.secrets.deleteText(use),
      confirm: t.common.delete,
      danger: true,
      act: () => deleting.mutate(),
    });
  return (
    <Paper withBorder px="md" py="sm">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box flex="1 1 240px" miw={0}>
          <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
            {secret.name} <Code>{secret.mask}</Code>
          </Text>
          <Text size="sm" c="dimmed">
            {use} · {t.settings.secrets.updated(date(secret.updated_at))}
          </Text>
          {secret.origins.length > 0 && (
            <Text size="xs" mt={4} style={{ overflowWrap: 'anywhere' }}>
              {t.settings.secrets.sentTo(secret.origins.join(', '))}
            </Text>
          )}
        </Box>
        {may('secrets:write') && (
          <Group gap={4}>
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={edit}
              aria-label={t.settings.secrets.replaceOf(secret.name)}
            >
              {t.settings.secrets.replace}
            </Button>
            <Button
              size="compact-sm"
              variant="subtle"
              color="red"
              onClick={askDelete}
              loading={deleting.isPending}
              aria-label={t.settings.secrets.deleteOf(secret.name)}
            >
              {t.common.delete}
            </Button>
          </Group>
        )}
      </Group>
    </Paper>
  );
}
