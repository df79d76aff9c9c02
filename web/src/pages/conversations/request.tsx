import { Button, Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { useGuard } from '../../parts/guard';
import { GuardedDialog } from '../../parts/guarded-dialog';

type Props = { close: () => void; send: (reason: string) => Promise<unknown> };

/** Asks for a person, saying why: whoever takes over reads it first. */
export function PersonRequest({ opened, close, send }: Props & { opened: boolean }) {
  const t = useTexts();
  return (
    <GuardedDialog opened={opened} onClose={close} title={t.conversations.requestPerson}>
      <RequestForm close={close} send={send} />
    </GuardedDialog>
  );
}

function RequestForm({ close, send }: Props) {
  const t = useTexts();
  const form = useForm({ initialValues: { reason: '' } });
  const letGo = useGuard(form.isDirty());
  const asking = useMutation({
    mutationFn: ({ reason }: typeof form.values) => send(reason.trim()),
    onSuccess: () => {
      letGo();
      close();
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => asking.mutate(values))}>
      <Stack>
        {asking.isError && <FailureNotice error={asking.error} />}
        <Textarea
          label={t.conversations.reason}
          description={t.conversations.reasonHelp}
          required
          maxLength={500}
          autosize
          minRows={2}
          data-autofocus
          {...form.getInputProps('reason')}
        />
        <Button type="submit" loading={asking.isPending} disabled={!form.values.reason.trim()}>
          {t.conversations.requestPerson}
        </Button>
      </Stack>
    </form>
  );
}
