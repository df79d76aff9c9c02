import { Badge, Box, Button, Group, Paper, Switch, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useLanguage, useTexts } from '../../../i18n';
import { done, failed } from '../../../parts/notify';
import type { Instruction } from '../queries';
import { useInstructionDeletion, useInstructionPatch } from './changes';

/** One instruction, with its place in the prompt where it has one. */
export function InstructionRow({
  tenant,
  item,
  branch,
  changes,
  edit,
}: {
  tenant: string;
  item: Instruction;
  branch: string | undefined;
  changes: boolean;
  edit: () => void;
}) {
  const t = useTexts();
  const language = useLanguage();
  const words = t.agents.rules;
  const patching = useInstructionPatch(tenant, item.id);
  const deleting = useInstructionDeletion(tenant, item.id);
  const ask = () =>
    modals.openConfirmModal({
      title: words.deleteTitle(item.title),
      children: <Text size="sm">{words.deleteText}</Text>,
      labels: { confirm: t.common.delete, cancel: t.common.cancel },
      confirmProps: { color: 'red' },
      onConfirm: () => deleting.mutate(undefined, { onSuccess: () => done(words.deleted), onError: failed }),
    });
  const inPrompt = item.include_in_prompt ?? false;
  const shown = patching.isPending ? (patching.variables.include_in_prompt ?? inPrompt) : inPrompt;
  return (
    <Paper withBorder px="md" py="sm">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box flex="1 1 280px" miw={0}>
          <Group gap={6}>
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {item.title}
            </Text>
            {inPrompt && (
              <Badge size="sm" tt="none">
                {words.inPrompt}
              </Badge>
            )}
            {!item.active && (
              <Badge size="sm" variant="light" color="ochre" tt="none">
                {words.paused}
              </Badge>
            )}
          </Group>
          <Text size="sm" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
            {item.content}
          </Text>
          <Text size="xs" c="dimmed" mt={4}>
            {words.types[item.type]} · {words.priorityOf(item.priority)} · {branch ?? words.allBranches}
          </Text>
          {item.warnings?.map((warning) => (
            <Text key={warning.code} size="xs">
              {warning[language]}
            </Text>
          ))}
        </Box>
        {changes && (
          <Group gap={4}>
            <Switch
              label={words.inPrompt}
              mr={4}
              aria-label={words.inPromptOf(item.title)}
              checked={shown}
              disabled={!item.active || patching.isPending}
              title={item.active ? undefined : words.onlyActive}
              onChange={(event) => patching.mutate({ include_in_prompt: event.currentTarget.checked })}
            />
            <Button
              size="compact-sm"
              px={6}
              variant="subtle"
              onClick={edit}
              aria-label={words.editOf(item.title)}
            >
              {words.edit}
            </Button>
            <Button
              size="compact-sm"
              px={6}
              variant="subtle"
              color="red"
              onClick={ask}
              loading={deleting.isPending}
              aria-label={words.deleteOf(item.title)}
            >
              {t.common.delete}
            </Button>
          </Group>
        )}
      </Group>
      {patching.isError && (
        <Text size="sm" c="var(--mantine-color-red-light-color)" role="alert" mt={4}>
          {patching.error.message}
        </Text>
      )}
    </Paper>
  );
}
