import { Group, NativeSelect, NumberInput, Paper, Stack, Switch, TextInput } from '@mantine/core';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { problemAt } from '../form/problems';
import { useSetting } from '../setting';
import { MoneyInput } from './money';
import type { EditorProps, FieldOf } from './props';

type Promotion = Schemas['Promotion'];
type Discount = Schemas['Discount'];
type SpendRule = Schemas['SpendRule'];

const BELOW = ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[];

/** A lower price or something extra, for some time. */
export function PromotionEditor({
  field,
  label,
  help,
  value,
  onChange,
  problems,
}: EditorProps<FieldOf<'promotion'>>) {
  const t = useTexts();
  const promotion = (value ?? undefined) as Promotion | undefined;
  return (
    <Stack gap="xs">
      <Switch
        label={label}
        description={help}
        checked={promotion !== undefined}
        onChange={(event) => onChange(event.currentTarget.checked ? { text: '' } : null)}
      />
      {promotion && (
        <Paper withBorder p="sm">
          <Stack gap="xs">
            <TextInput
              label={t.business.promotionText}
              placeholder={t.business.promotionExample}
              required
              maxLength={300}
              error={problemAt(problems, `${field.name}.text`)}
              value={promotion.text}
              onChange={(event) => onChange({ ...promotion, text: event.currentTarget.value })}
            />
            <MoneyInput
              label={t.business.promotionPrice}
              error={problemAt(problems, `${field.name}.price`)}
              value={promotion.price}
              onChange={(price) => onChange({ ...promotion, price })}
            />
            <Group gap="xs" align="flex-start">
              <TextInput
                type="date"
                label={t.business.firstDay}
                error={problemAt(problems, `${field.name}.from`)}
                value={promotion.from ?? ''}
                onChange={(event) => onChange({ ...promotion, from: event.currentTarget.value || null })}
              />
              <TextInput
                type="date"
                label={t.business.lastDay}
                error={problemAt(problems, `${field.name}.to`)}
                value={promotion.to ?? ''}
                onChange={(event) => onChange({ ...promotion, to: event.currentTarget.value || null })}
              />
            </Group>
          </Stack>
        </Paper>
      )}
    </Stack>
  );
}

/** What a reward takes off an order: nothing, an amount or a part. */
export function DiscountEditor({
  field,
  label,
  help,
  value,
  onChange,
  problems,
}: EditorProps<FieldOf<'discount'>>) {
  const t = useTexts();
  const { currency } = useSetting();
  const discount = (value ?? { kind: 'none' }) as Discount;
  const blank: Record<Discount['kind'], Discount> = {
    none: { kind: 'none' },
    amount: { kind: 'amount', amount: { amount: 0, currency } },
    percent: { kind: 'percent', percent: 10 },
  };
  const problem = problemAt(problems, field.name);
  return (
    <Group gap="xs" align="flex-start">
      <NativeSelect
        label={label}
        description={help}
        inputWrapperOrder={BELOW}
        data={(['none', 'amount', 'percent'] as const).map((kind) => ({
          value: kind,
          label: t.business.discounts[kind],
        }))}
        value={discount.kind}
        onChange={(event) => onChange(blank[event.currentTarget.value as Discount['kind']])}
      />
      {discount.kind === 'amount' && (
        <MoneyInput
          label={t.business.discounts.amount}
          w={150}
          error={problem}
          value={discount.amount}
          onChange={(amount) => onChange({ ...discount, amount: amount ?? { amount: 0, currency } })}
        />
      )}
      {discount.kind === 'percent' && (
        <NumberInput
          label={t.business.discounts.percent}
          w={150}
          min={1}
          max={100}
          suffix=" %"
          allowDecimal={false}
          error={problem}
          value={discount.percent}
          onChange={(percent) => onChange({ ...discount, percent: Number(percent) || 1 })}
        />
      )}
    </Group>
  );
}

/** So many points for every so much spent. */
export function SpendEditor({
  field,
  label,
  help,
  value,
  onChange,
  problems,
}: EditorProps<FieldOf<'spend'>>) {
  const t = useTexts();
  const { currency } = useSetting();
  const rule = (value ?? undefined) as SpendRule | undefined;
  const blank: SpendRule = { tokens: 1, every: { amount: 1000, currency } };
  return (
    <Stack gap="xs">
      <Switch
        label={label}
        description={help}
        checked={rule !== undefined}
        onChange={(event) => onChange(event.currentTarget.checked ? blank : null)}
      />
      {rule && (
        <Paper withBorder p="sm">
          <Stack gap="xs">
            <Group gap="xs" align="flex-start">
              <NumberInput
                label={t.business.spendTokens}
                w={150}
                min={1}
                max={100_000}
                allowDecimal={false}
                required
                error={problemAt(problems, `${field.name}.tokens`)}
                value={rule.tokens}
                onChange={(tokens) => onChange({ ...rule, tokens: Number(tokens) || 1 })}
              />
              <MoneyInput
                label={t.business.spendEvery}
                w={150}
                required
                error={problemAt(problems, `${field.name}.every`)}
                value={rule.every}
                onChange={(every) => onChange({ ...rule, every: every ?? { amount: 0, currency } })}
              />
            </Group>
            <MoneyInput
              label={t.business.spendMinimum}
              description={t.business.spendMinimumHelp}
              inputWrapperOrder={BELOW}
              error={problemAt(problems, `${field.name}.minimum`)}
              value={rule.minimum}
              onChange={(minimum) => onChange({ ...rule, minimum })}
            />
          </Stack>
        </Paper>
      )}
    </Stack>
  );
}
