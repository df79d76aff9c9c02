import { Button, Group, NumberInput, Paper, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { useGuard } from '../../../parts/guard';
import { done } from '../../../parts/notify';
import { BELOW } from '../parts/below';
import { Trouble } from '../parts/refusal';
import { fieldProblems } from '../problems';
import { pricesOf, profileOf } from '../queries';

type OwnPrice = Schemas['OwnPrice'];
/** Dollars for a million tokens, as providers publish them; empty where nothing is said. */
type Dollars = number | '';
type Line = {
  key: string;
  provider: OwnPrice['provider'];
  model: string;
  input: Dollars;
  cached_input: Dollars;
  cache_write: Dollars;
  output: Dollars;
};
type Values = { prices: Line[]; dollar: Dollars };

const MICROS = 1_000_000;
const MOST = 200;
const PROVIDERS = [
  'openai',
  'anthropic',
  'gemini',
  'cohere',
  'ollama',
  'openai_compatible',
  'builtin',
] as const satisfies readonly OwnPrice['provider'][];

const shown = (micros: number | null | undefined): Dollars => (micros == null ? '' : micros / MICROS);
const micros = (dollars: Dollars) => (dollars === '' ? null : Math.round(Number(dollars) * MICROS));

const lineOf = (price: OwnPrice): Line => ({
  key: crypto.randomUUID(),
  provider: price.provider,
  model: price.model,
  input: shown(price.input),
  cached_input: shown(price.cached_input),
  cache_write: shown(price.cache_write),
  output: shown(price.output),
});

const priceOf = ({ key: _, ...line }: Line): OwnPrice => ({
  provider: line.provider,
  model: line.model,
  input: micros(line.input) ?? 0,
  cached_input: micros(line.cached_input),
  cache_write: micros(line.cache_write),
  output: micros(line.output) ?? 0,
});

export function PriceForm({
  tenant,
  own,
  close,
}: {
  tenant: string;
  own: Schemas['OwnPrices'];
  close: () => void;
}) {
  const t = useTexts();
  const queries = useQueryClient();
  const empty = (): Line => lineOf({ provider: 'openai', model: '', input: 0, output: 0 });
  const form = useForm<Values>({
    initialValues: { prices: (own.prices ?? []).map(lineOf), dollar: shown(own.dollar) },
    validate: {
      prices: { model: (model) => (model.trim() ? null : t.settings.problems.empty) },
    },
  });
  const currency = useQuery(profileOf(tenant)).data?.currency ?? '';
  useGuard(form.isDirty());
  const saving = useMutation({
    mutationFn: (values: Values) =>
      told(
        api.PUT('/api/v1/usage/prices', {
          body: { prices: values.prices.map(priceOf), dollar: micros(values.dollar) },
        }),
      ),
    onSuccess: async (saved) => {
      form.resetDirty();
      done(t.common.saved);
      queries.setQueryData(pricesOf(tenant).queryKey, saved);
      close();
    },
    onError: (error) => {
      const problems = Object.entries(fieldProblems(error, t));
      form.setErrors(
        Object.fromEntries(problems.map(([name, text]) => [name.replace(/\[(\d+)\]/g, '.$1'), text])),
      );
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))}>
      <Stack>
        {saving.isError && Object.keys(form.errors).length === 0 && <Trouble error={saving.error} />}
        <NumberInput
          label={t.settings.plan.dollar(currency)}
          description={t.settings.plan.dollarHelp}
          {...BELOW}
          min={0.000001}
          max={100_000}
          decimalScale={6}
          allowedDecimalSeparators={[',', '.']}
          hideControls
          maw={320}
          {...form.getInputProps('dollar')}
        />
        {form.values.prices.map((line, at) => (
          <PriceLine key={line.key} form={form} at={at} />
        ))}
        <Group>
          <Button
            variant="default"
            onClick={() => form.insertListItem('prices', empty())}
            disabled={form.values.prices.length >= MOST}
          >
            {t.settings.plan.addPrice}
          </Button>
          <Button type="submit" loading={saving.isPending}>
            {t.common.save}
          </Button>
          <Button
            variant="subtle"
            onClick={() => (!form.isDirty() || window.confirm(t.common.unsaved)) && close()}
          >
            {t.common.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function PriceLine({ form, at }: { form: UseFormReturnType<Values>; at: number }) {
  const t = useTexts();
  const amount = (name: 'input' | 'cached_input' | 'cache_write' | 'output', label: string) => (
    <NumberInput
      label={label}
      prefix="$ "
      min={0}
      max={100_000}
      decimalScale={6}
      allowedDecimalSeparators={[',', '.']}
      hideControls
      required={name === 'input'}
      {...form.getInputProps(`prices.${at}.${name}`)}
    />
  );
  return (
    <Paper withBorder p="sm">
      <Stack gap="xs">
        <Select
          label={t.settings.plan.provider}
          data={PROVIDERS.map((value) => ({ value, label: t.settings.plan.providers[value] }))}
          allowDeselect={false}
          {...form.getInputProps(`prices.${at}.provider`)}
        />
        <TextInput
          label={t.settings.plan.model}
          required
          maxLength={200}
          {...form.getInputProps(`prices.${at}.model`)}
        />
        <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="xs">
          {amount('input', t.settings.plan.input)}
          {amount('cached_input', t.settings.plan.cached)}
          {amount('cache_write', t.settings.plan.cacheWrite)}
          {amount('output', t.settings.plan.output)}
        </SimpleGrid>
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          onClick={() => form.removeListItem('prices', at)}
          style={{ alignSelf: 'flex-start' }}
        >
          {t.settings.plan.removePrice}
        </Button>
      </Stack>
    </Paper>
  );
}
