import { Button, Modal, Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';

/** Asks for a person, saying why: whoever takes over reads it first. */
export function PersonRequest({
  opened,
  close,
  send,
}: {
  opened: boolean;
  close: () => void;
  send: (reason: string) => Promise<unknown>;
}) {
  const t = useTexts();
  const form = useForm({ initialValues: { reason: '' } });
  const asking = useMutation({
    mutationFn: ({ reason }: typeof form.values) => send(reason.trim()),
    onSuccess: () => {
      form.reset();
      close();
    },
  });
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t.conversations.requestPerson}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
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
    </Modal>
  );
}
