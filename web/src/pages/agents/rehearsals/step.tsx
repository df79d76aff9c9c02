import { Button, Checkbox, Fieldset, Group, MultiSelect, Stack, TagsInput, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../../i18n';
import { BELOW } from '../../settings/parts/below';
import { type Agent, toolsOf } from '../queries';
import type { ScriptFormApi } from './form';

const FLAGS = ['must_not_write', 'must_cite', 'must_hand_over', 'must_not_know'] as const;

/** One message of the customer, and what is expected of its answer. */
export function StepFields({
  tenant,
  agent,
  form,
  index,
}: {
  tenant: string;
  agent: Agent;
  form: ScriptFormApi;
  index: number;
}) {
  const t = useTexts();
  const words = t.rehearsals;
  const tools = useQuery(toolsOf(tenant, agent.slug)).data ?? [];
  const field = (name: string) => `steps.${index}.${name}`;
  const flags = {
    must_not_write: words.mustNotWrite,
    must_cite: words.mustCite,
    must_hand_over: words.mustHandOver,
    must_not_know: words.mustNotKnow,
  };
  return (
    <Fieldset legend={words.stepOf(index + 1)}>
      <Stack gap="sm">
        <Textarea
          label={words.message}
          required
          autosize
          minRows={2}
          maxRows={8}
          maxLength={2000}
          {...form.getInputProps(field('message'))}
        />
        <TagsInput
          label={words.mustContain}
          description={words.mustContainHelp}
          {...BELOW}
          maxTags={10}
          acceptValueOnBlur
          splitChars={[]}
          {...form.getInputProps(field('must_contain'))}
        />
        <TagsInput
          label={words.mustNotContain}
          maxTags={10}
          acceptValueOnBlur
          splitChars={[]}
          {...form.getInputProps(field('must_not_contain'))}
        />
        <MultiSelect
          label={words.mustCall}
          data={tools.map((tool) => tool.name)}
          maxValues={10}
          searchable
          {...form.getInputProps(field('must_call'))}
        />
        <Stack gap={6} role="group" aria-label={words.expect}>
          {FLAGS.map((flag) => (
            <Checkbox
              key={flag}
              label={flags[flag]}
              {...form.getInputProps(field(flag), { type: 'checkbox' })}
            />
          ))}
        </Stack>
        {form.values.steps.length > 1 && (
          <Group>
            <Button
              size="compact-sm"
              variant="subtle"
              color="red"
              aria-label={words.removeStep(index + 1)}
              onClick={() => form.removeListItem('steps', index)}
            >
              {words.remove}
            </Button>
          </Group>
        )}
      </Stack>
    </Fieldset>
  );
}
