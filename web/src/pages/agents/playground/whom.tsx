import { Alert, Button, Group, Paper, SegmentedControl, Stack, Text } from '@mantine/core';
import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { TextLink } from '../../../parts/links';
import { done, failed } from '../../../parts/notify';
import { CustomerPicker } from '../../customers/picker';
import { type Lead, leadChanged } from '../../customers/queries';
import { useOnce } from '../../settings/once';

/** Nobody in particular, or a customer once one is chosen. */
export type Whom = { known: boolean; lead?: Lead };
const NOBODY: Whom = { known: false };

/** Whom an agent is talked to as; it stays while other parts of the agent are looked at. */
export function useWhom(tenant: string, agent: string) {
  const queries = useQueryClient();
  const queryKey = [tenant, 'playground', agent, 'whom'];
  const { data: whom = NOBODY } = useQuery<Whom>({
    queryKey,
    queryFn: skipToken,
    initialData: NOBODY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return { whom, speakAs: (next: Whom) => queries.setQueryData<Whom>(queryKey, next) };
}

/** Says whether what is asked for is only tried or really done, and for whom. */
export function WhomField({
  tenant,
  agent,
  whom,
  speakAs,
  conversation,
  drafted,
  disabled,
}: {
  tenant: string;
  agent: string;
  whom: Whom;
  speakAs: (whom: Whom) => void;
  conversation: string | undefined;
  /** Whether there is a draft, which no customer hears. */
  drafted: boolean;
  disabled: boolean;
}) {
  const t = useTexts();
  const { known, lead } = whom;
  const queries = useQueryClient();
  const key = useOnce();
  const making = useMutation({
    mutationFn: () => {
      const body = { name: t.why.testName, agent_id: agent };
      return told(api.POST('/api/v1/leads', { body, params: { header: key.header(body) } }));
    },
    onSuccess: async (made) => {
      key.forget();
      speakAs({ known: true, lead: made });
      done(t.why.testMade(made.name ?? t.customers.unnamed));
      await leadChanged(queries, tenant);
    },
    onError: failed,
  });
  return (
    <Paper withBorder p="sm">
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Text size="sm" fw={600} id="whom-label">
            {t.why.who}
          </Text>
          <SegmentedControl
            size="xs"
            aria-labelledby="whom-label"
            disabled={disabled}
            value={known ? 'known' : 'nobody'}
            onChange={(value) => speakAs({ ...whom, known: value === 'known' })}
            data={[
              { value: 'nobody', label: t.why.nobody },
              { value: 'known', label: t.why.known },
            ]}
          />
        </Group>
        {!known && (
          <Text size="xs" c="dimmed">
            {t.why.nobodyHelp}
          </Text>
        )}
        {known && (
          <Group align="flex-end" gap="xs">
            <div style={{ flex: '1 1 220px' }}>
              <CustomerPicker
                tenant={tenant}
                label={t.why.customer}
                placeholder={t.why.findCustomer}
                nobody={t.why.nobodyFound}
                chosen={lead}
                choose={(chosen) => speakAs({ known: true, lead: chosen })}
              />
            </div>
            <Button variant="default" loading={making.isPending} onClick={() => making.mutate()}>
              {t.why.makeTest}
            </Button>
          </Group>
        )}
        {known && lead && (
          <Alert color="ochre" p="xs" role="note" title={t.why.real}>
            <Text size="sm">{t.why.realHelp(lead.name ?? t.customers.unnamed)}</Text>
            {drafted && <Text size="sm">{t.why.liveAnswers}</Text>}
            {conversation && (
              <TextLink
                to="/t/$tenant/conversations/$conversation"
                params={{ tenant, conversation }}
                size="sm"
                underline="always"
                inherit
              >
                {t.why.seeThread}
              </TextLink>
            )}
          </Alert>
        )}
      </Stack>
    </Paper>
  );
}
