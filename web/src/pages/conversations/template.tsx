import { Box, Button, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { useGuard } from '../../parts/guard';
import { GuardedDialog } from '../../parts/guarded-dialog';
import { done } from '../../parts/notify';
import { ListSkeleton } from '../../parts/skeletons';
import { type Template, templatesOf } from '../channels/queries';
import { filled, holesOf, isApproved, templateKey } from '../channels/template-text';
import { useOnce } from '../settings/once';
import { Trouble } from '../settings/parts/refusal';
import { fieldProblems } from '../settings/problems';
import styles from './inbox.module.css';
import { conversationsKey, type Message } from './queries';

type Props = { tenant: string; conversation: string; connection: string; sent: (message: Message) => void };

/** More values are not taken. */
const MOST_HOLES = 20;

/** Sends a template, the one thing that reaches a customer who wrote long ago. */
export function TemplateDialog({
  opened,
  close,
  name,
  ...props
}: Props & { opened: boolean; close: () => void; name: string }) {
  const t = useTexts();
  return (
    <GuardedDialog opened={opened} onClose={close} title={t.channels.templates.sendTitle(name)}>
      <TemplateChoice {...props} close={close} />
    </GuardedDialog>
  );
}

function TemplateChoice({ tenant, connection, ...props }: Props & { close: () => void }) {
  const t = useTexts();
  const words = t.channels.templates;
  const found = useQuery(templatesOf(tenant, connection));
  const [chosen, choose] = useState<string | null>(null);
  if (found.isPending) return <ListSkeleton rows={2} />;
  if (found.isLoadingError) return <Trouble error={found.error} again={found.refetch} />;
  const approved = found.data.filter(isApproved);
  if (approved.length === 0) return <Text size="sm">{words.none}</Text>;
  const template = approved.find((one) => templateKey(one) === chosen);
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {words.sendIntro}
      </Text>
      <Select
        label={words.choose}
        description={words.chooseHelp}
        data={approved.map((one) => ({ value: templateKey(one), label: `${one.name} (${one.language})` }))}
        value={chosen}
        onChange={choose}
        allowDeselect={false}
        searchable
        data-autofocus
      />
      {template && <TemplateForm key={chosen} tenant={tenant} template={template} {...props} />}
    </Stack>
  );
}

function TemplateForm({
  tenant,
  template,
  conversation,
  sent,
  close,
}: Omit<Props, 'connection'> & { template: Template; close: () => void }) {
  const t = useTexts();
  const words = t.channels.templates;
  const queries = useQueryClient();
  const holes = holesOf(template.body);
  const form = useForm({
    initialValues: { values: Array.from({ length: Math.min(holes, MOST_HOLES) }, () => '') },
    validate: { values: (values) => (values.every((value) => value.trim()) ? null : true) },
  });
  const letGo = useGuard(form.isDirty());
  const key = useOnce();
  const sending = useMutation({
    mutationFn: (body: Schemas['SendTemplate']) => {
      const params = { path: { conversation_id: conversation }, header: key.header(body) };
      return told(api.POST('/api/v1/conversations/{conversation_id}/template', { params, body }));
    },
    onError: (error) => {
      const problems = Object.entries(fieldProblems(error, t));
      // The form counts with points what the server counts in brackets.
      const plain = problems.map(([field, text]) => [field.replace(/\[(\d+)\]/g, '.$1'), text]);
      form.setErrors(Object.fromEntries(plain));
    },
    onSuccess: async (message) => {
      letGo();
      key.forget();
      done(words.sent);
      sent(message);
      close();
      await queries.invalidateQueries({ queryKey: conversationsKey(tenant) });
    },
  });
  if (holes > MOST_HOLES) return <Text size="sm">{words.tooMany}</Text>;
  const { values } = form.values;
  const isFilled = values.every((value) => value.trim());
  const { name, language } = template;
  const submit = form.onSubmit(() =>
    sending.mutate({ name, language, values: values.map((value) => value.trim()) }),
  );
  return (
    <form onSubmit={submit}>
      <Stack>
        {sending.isError && <FailureNotice error={sending.error} />}
        {values.map((_, at) => (
          <TextInput
            // biome-ignore lint/suspicious/noArrayIndexKey: each has its number
            key={at}
            label={words.hole(at + 1)}
            required
            maxLength={1000}
            {...form.getInputProps(`values.${at}`)}
          />
        ))}
        <Box className={styles.preview} role="group" aria-label={words.preview}>
          <Text size="xs" c="dimmed" mb={4}>
            {words.preview}
          </Text>
          <Box className={styles.bubble} data-role="human">
            <Text className="thread">{filled(template.body, values) || words.noText}</Text>
          </Box>
        </Box>
        <Text size="xs" c="dimmed">
          {words.takesOver}
        </Text>
        <Button type="submit" loading={sending.isPending} disabled={!isFilled}>
          {words.send}
        </Button>
      </Stack>
    </form>
  );
}
