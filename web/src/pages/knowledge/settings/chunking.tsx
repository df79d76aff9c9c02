import {
  Checkbox,
  Input,
  NumberInput,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  TextInput,
} from '@mantine/core';
import { useTexts } from '../../../i18n';
import { FormSection } from '../../agents/section';
import type { BaseForm } from '.';
import { STRATEGIES, UNITS, USUAL } from './values';

const SIZES = ['chunk_size', 'chunk_overlap', 'max_chunk_size', 'min_chunk_size'] as const;
const TOLD = ['include_title', 'include_page_number', 'include_source_url'] as const;

/** Where documents are cut, and how long their chunks are. */
export function ChunkingSection({ form }: { form: BaseForm }) {
  const { baseSettings: words } = useTexts();
  const { strategy, unit } = form.values.chunking_config;
  const field = (name: string) => form.getInputProps(`chunking_config.${name}`);
  // What was fitting in characters is none of a size in tokens.
  const count = (value: string) => {
    const next = UNITS.find((one) => one === value);
    if (!next || next === unit) return;
    form.setFieldValue('chunking_config', { ...form.values.chunking_config, unit: next, ...USUAL[next] });
  };
  return (
    <FormSection title={words.chunking} text={words.chunkingText}>
      <Select
        label={words.strategy}
        description={words.strategyHelp[strategy]}
        data={STRATEGIES.map((value) => ({ value, label: words.strategies[value] }))}
        allowDeselect={false}
        {...field('strategy')}
      />
      <Stack gap={4} align="flex-start">
        <Input.Label component="div" id="chunk-unit">
          {words.unit}
        </Input.Label>
        <SegmentedControl
          aria-labelledby="chunk-unit"
          data={UNITS.map((value) => ({ value, label: words.units[value] }))}
          value={unit}
          onChange={count}
        />
      </Stack>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {SIZES.map((name) => (
          <NumberInput
            key={name}
            label={words.sizes[name]}
            description={words.sizesHelp[name]}
            min={0}
            max={16_000}
            allowDecimal={false}
            required
            {...field(name)}
          />
        ))}
      </SimpleGrid>
      {strategy !== 'fixed' && (
        <TextInput
          label={words.separator}
          description={words.separatorHelp}
          placeholder="\n-{3,}\n"
          maxLength={200}
          ff="monospace"
          {...field('separator_regex')}
        />
      )}
      {TOLD.map((name) => (
        <Checkbox
          key={name}
          label={words.told[name]}
          {...form.getInputProps(`chunking_config.${name}`, { type: 'checkbox' })}
        />
      ))}
    </FormSection>
  );
}
