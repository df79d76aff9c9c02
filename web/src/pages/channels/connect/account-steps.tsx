import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { useGuard } from '../../../parts/guard';
import { done } from '../../../parts/notify';
import type { Connectable } from '../../../routes/channels';
import { showProblems } from '../../agents/forms';
import { fieldProblems } from '../../settings/problems';
import { agentOf, MAIN } from '../parts/agent';
import { channelsKey, webhookOf } from '../queries';
import { AccountForm, type AccountValues } from './account';
import { NeedsList } from './needs';
import { StepPanel } from './steps';

/** What it takes and where that is found, and then the account with its keys. */
export function AccountSteps({ tenant, channel }: { tenant: string; channel: Connectable }) {
  const t = useTexts();
  const words = t.channels.fields;
  const queries = useQueryClient();
  const navigate = useNavigate({ from: '/t/$tenant/channels/connect' });
  const [step, setStep] = useState<'needs' | 'account'>('needs');
  const isId = (text: string) => /^[\w.-]+$/.test(text.trim());
  const idProblem = (text: string) => (!text.trim() ? words.empty : isId(text) ? null : words.badId);
  const needed = (text: string) => (text.trim() ? null : words.empty);
  // It outlives a look back at what is needed.
  const form = useForm<AccountValues>({
    initialValues: { name: '', account_id: '', parent_id: '', token: '', app_secret: '', agent: MAIN },
    validate: {
      name: needed,
      account_id: idProblem,
      parent_id: (text) => (channel === 'whatsapp' ? idProblem(text) : null),
      token: needed,
      app_secret: needed,
    },
  });
  const letGo = useGuard(form.isDirty());
  const connecting = useMutation({
    // The same account is connected once, so that sending it twice does no harm.
    mutationFn: (values: AccountValues) => {
      const body = {
        channel,
        name: values.name,
        account_id: values.account_id.trim(),
        parent_id: channel === 'whatsapp' ? values.parent_id.trim() : null,
        token: values.token,
        app_secret: values.app_secret,
        agent: agentOf(values.agent),
      };
      return told(api.POST('/api/v1/channels', { body }));
    },
    onError: (error) => showProblems(form, fieldProblems(error, t)),
    onSuccess: async ({ id, name, webhook }) => {
      letGo();
      done(words.connected(name));
      queries.setQueryData(webhookOf(tenant, id).queryKey, webhook);
      await navigate({ search: { channel, connection: id }, replace: true, ignoreBlocker: true });
      await queries.invalidateQueries({ queryKey: channelsKey(tenant) });
    },
  });
  return (
    <StepPanel step={step}>
      {step === 'needs' ? (
        <NeedsList tenant={tenant} channel={channel} next={() => setStep('account')} />
      ) : (
        <AccountForm
          tenant={tenant}
          channel={channel}
          form={form}
          connecting={connecting}
          back={() => setStep('needs')}
        />
      )}
    </StepPanel>
  );
}
