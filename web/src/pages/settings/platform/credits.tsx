import { Button, NumberInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { useGuard } from '../../../parts/guard';
import { done } from '../../../parts/notify';
import { BELOW } from '../parts/below';
import { Dialog } from '../parts/dialog';
import { Trouble } from '../parts/refusal';
import { fieldProblems, isShownInPlace } from '../problems';
import type { Opened } from './tenants';

export function CreditsDialog({ opened, close }: { opened: Opened; close: () => void }) {
  const t = useTexts();
  const tenant = opened?.dialog === 'credits' ? opened.tenant : undefined;
  return (
    <Dialog
      opened={tenant !== undefined}
      onClose={close}
      title={tenant && t.settings.platform.grantTo(tenant.name)}
    >
      {tenant && <CreditsForm tenant={tenant} close={close} />}
    </Dialog>
  );
}

/** The same reference counts once, so that what is sent again grants nothing twice. */
function CreditsForm({ tenant, close }: { tenant: Schemas['Tenant']; close: () => void }) {
  const t = useTexts();
  const queries = useQueryClient();
  const form = useForm({ initialValues: { amount: 1000, reference: '' } });
  const letGo = useGuard(form.isDirty());
  const granting = useMutation({
    mutationFn: (body: typeof form.values) =>
      told(
        api.POST('/api/v1/tenants/{tenant_id}/credits', {
          params: { path: { tenant_id: tenant.id } },
          body,
        }),
      ),
    onSuccess: async ({ balance }) => {
      letGo();
      done(t.settings.platform.granted(tenant.name, balance));
      await queries.invalidateQueries({ queryKey: [tenant.slug, 'usage'] });
      close();
    },
    onError: (error) => form.setErrors(fieldProblems(error, t)),
  });
  return (
    <form onSubmit={form.onSubmit((values) => granting.mutate(values))}>
      <Stack>
        {granting.isError && !isShownInPlace(granting.error, ['amount', 'reference']) && (
          <Trouble error={granting.error} />
        )}
        <NumberInput
          label={t.settings.platform.amount}
          min={1}
          max={1_000_000_000}
          allowDecimal={false}
          required
          data-autofocus
          {...form.getInputProps('amount')}
        />
        <TextInput
          label={t.settings.platform.reference}
          description={t.settings.platform.referenceHelp}
          {...BELOW}
          placeholder="F001-123"
          required
          maxLength={100}
          {...form.getInputProps('reference')}
        />
        <Button type="submit" loading={granting.isPending}>
          {t.settings.platform.grant}
        </Button>
      </Stack>
    </form>
  );
}
