import { Paper, Stack, Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { done } from '../../parts/notify';
import { useRights } from '../settings/rights';
import { promptingOf } from './queries';

/** How all agents of a business are told what it has. */
export function PromptingSwitch({ tenant }: { tenant: string }) {
  const t = useTexts();
  const queries = useQueryClient();
  const { may } = useRights(tenant);
  const prompting = useQuery(promptingOf(tenant));
  const putting = useMutation({
    mutationFn: (legacy_prompt: boolean) =>
      told(api.PUT('/api/v1/business/prompting', { body: { legacy_prompt } })),
    onSuccess: async () => {
      done(t.agents.prompt.changed);
      await Promise.all([
        queries.invalidateQueries({ queryKey: promptingOf(tenant).queryKey }),
        queries.invalidateQueries({ queryKey: [tenant, 'agents'] }),
      ]);
    },
  });
  const on = putting.isPending ? putting.variables : (prompting.data?.legacy_prompt ?? false);
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Switch
          label={t.agents.prompt.everything}
          description={t.agents.prompt.everythingHelp}
          checked={on}
          disabled={!prompting.isSuccess || putting.isPending || !may('business:write')}
          onChange={(event) => putting.mutate(event.currentTarget.checked)}
        />
        {prompting.isError && <FailureNotice error={prompting.error} again={prompting.refetch} />}
        {putting.isError && <FailureNotice error={putting.error} />}
      </Stack>
    </Paper>
  );
}
