import { Alert, Badge, Button, Code, Group, Paper, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { done } from '../../../parts/notify';
import { BELOW } from '../../settings/parts/below';
import { secretsOf } from '../../settings/queries';
import { useRights } from '../../settings/rights';
import { hasAddress, type Provider, SECRETS, serverOf } from './providers';

type Props = {
  tenant: string;
  provider: Exclude<Provider, 'builtin'>;
  address: string;
  /** Whether the model was saved and nothing is wrong with it. */
  works: boolean;
};

/** Whether a provider has a key, and a place to store one. */
export function ProviderKey(props: Props) {
  const t = useTexts();
  const { may } = useRights(props.tenant);
  if (!may('secrets:read'))
    return (
      <Text size="sm" c="dimmed">
        {t.agents.model.keyHidden}
      </Text>
    );
  return <KeyPanel {...props} />;
}

function KeyPanel({ tenant, provider, address, works }: Props) {
  const t = useTexts();
  const words = t.agents.model;
  const { may } = useRights(tenant);
  const secrets = useQuery(secretsOf(tenant));
  const [typing, setTyping] = useState(false);
  const stored = secrets.data?.find((secret) => secret.name === SECRETS[provider]);
  const bound = hasAddress(provider);
  const server = serverOf(address);
  const elsewhere = bound && stored && server && !stored.origins.includes(server);
  const state = (() => {
    if (stored) return { text: words.keySaved, color: elsewhere ? 'ochre' : 'teal' };
    if (bound) return { text: words.keyOptional, color: 'gray' };
    return works ? { text: words.keyShared, color: 'teal' } : { text: words.keyMissing, color: 'ochre' };
  })();
  if (secrets.isError && !secrets.data)
    return <FailureNotice error={secrets.error} again={secrets.refetch} />;
  return (
    <Paper withBorder p="sm">
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Text size="sm" fw={500}>
            {bound ? words.keyOfServer : words.keyOf(words.providers[provider])}
          </Text>
          {secrets.data && (
            <Group gap={6}>
              <Badge variant="light" color={state.color} tt="none" styles={{ root: { height: 'auto' } }}>
                {state.text}
              </Badge>
              {stored && <Code>{stored.mask}</Code>}
            </Group>
          )}
        </Group>
        {elsewhere && <OtherServer tenant={tenant} stored={stored} server={server} />}
        {may('secrets:write') &&
          (typing ? (
            <KeyInput
              tenant={tenant}
              provider={provider}
              stored={stored}
              server={bound ? server : undefined}
              close={() => setTyping(false)}
            />
          ) : (
            <Button
              size="xs"
              variant="default"
              onClick={() => setTyping(true)}
              disabled={secrets.isPending}
              style={{ alignSelf: 'flex-start' }}
            >
              {stored ? words.keyReplace : words.keyAdd}
            </Button>
          ))}
      </Stack>
    </Paper>
  );
}

function useSecretPut(tenant: string, message: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ name, body }: { name: string; body: Schemas['PutSecret'] }) =>
      told(api.PUT('/api/v1/secrets/{secret_name}', { params: { path: { secret_name: name } }, body })),
    onSuccess: async () => {
      done(message);
      // What an agent is warned of depends on the keys there are.
      await Promise.all([
        queries.invalidateQueries({ queryKey: [tenant, 'secrets'] }),
        queries.invalidateQueries({ queryKey: [tenant, 'agents'] }),
      ]);
    },
  });
}

/** A key is sent to the servers it was stored for and nowhere else. */
function OtherServer({
  tenant,
  stored,
  server,
}: {
  tenant: string;
  stored: Schemas['SecretInfo'];
  server: string;
}) {
  const t = useTexts();
  const { may } = useRights(tenant);
  const putting = useSecretPut(tenant, t.agents.model.keyAllowed);
  return (
    <Alert color="ochre" p="xs">
      <Stack gap="xs" align="flex-start">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t.agents.model.keyElsewhere(server)}
        </Text>
        {may('secrets:write') && (
          <Button
            size="xs"
            variant="default"
            loading={putting.isPending}
            onClick={() =>
              putting.mutate({ name: stored.name, body: { origins: [...stored.origins, server] } })
            }
          >
            {t.agents.model.keyAllow(server)}
          </Button>
        )}
        {putting.isError && <FailureNotice error={putting.error} />}
      </Stack>
    </Alert>
  );
}

function KeyInput({
  tenant,
  provider,
  stored,
  server,
  close,
}: {
  tenant: string;
  provider: Exclude<Provider, 'builtin'>;
  stored: Schemas['SecretInfo'] | undefined;
  server: string | undefined;
  close: () => void;
}) {
  const t = useTexts();
  const words = t.agents.model;
  const [value, setValue] = useState('');
  const putting = useSecretPut(tenant, words.keyStored);
  const needsAddress = provider === 'openai_compatible' && !server;
  const put = () => {
    const origins = server ? { origins: [...new Set([...(stored?.origins ?? []), server])] } : {};
    putting.mutate(
      { name: SECRETS[provider], body: { value: value.trim(), ...origins } },
      { onSuccess: close },
    );
  };
  return (
    <Stack gap="xs">
      <PasswordInput
        label={words.key}
        description={needsAddress ? words.keyNeedsAddress : words.keyHelp}
        {...BELOW}
        autoComplete="off"
        maxLength={10_000}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        onKeyDown={(event) => {
          // The form around it saves the model, not the key.
          if (event.key !== 'Enter') return;
          event.preventDefault();
          if (value.trim() && !needsAddress) put();
        }}
        data-autofocus
      />
      {putting.isError && <FailureNotice error={putting.error} />}
      <Group gap="xs">
        <Button size="xs" onClick={put} loading={putting.isPending} disabled={!value.trim() || needsAddress}>
          {words.keyPut}
        </Button>
        <Button size="xs" variant="default" onClick={close}>
          {t.common.cancel}
        </Button>
      </Group>
    </Stack>
  );
}
