import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useMemo } from 'react';
import { decimalsOf, type Money, useSetting } from '../setting';
import type { EditorProps, FieldOf } from './props';
import { common } from './simple';

/** Ten thousand million of the smallest unit is the most that the server takes. */
const HIGHEST = 10_000_000_000;

type Props = Omit<NumberInputProps, 'value' | 'onChange'> & {
  value: Money | null | undefined;
  onChange: (value: Money | null) => void;
};

/** An amount in the currency of the business, written as its country writes numbers. */
export function MoneyInput({ value, onChange, ...rest }: Props) {
  const { currency, locale } = useSetting();
  const signs = useMemo(() => {
    const parts = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      // Some browsers leave the decimals of some currencies out.
      minimumFractionDigits: 1,
    }).formatToParts(1_234_567.8);
    const sign = (type: string, otherwise: string) =>
      parts.find((part) => part.type === type)?.value ?? otherwise;
    return {
      symbol: sign('currency', currency),
      thousand: sign('group', ','),
      decimal: sign('decimal', '.'),
    };
  }, [currency, locale]);
  const decimals = decimalsOf(currency);
  const unit = 10 ** decimals;
  return (
    <NumberInput
      styles={{ wrapper: { maxWidth: 220 } }}
      min={0}
      max={HIGHEST / unit}
      decimalScale={decimals}
      decimalSeparator={signs.decimal}
      thousandSeparator={signs.thousand}
      prefix={`${signs.symbol} `}
      inputMode="decimal"
      hideControls
      {...rest}
      value={value ? value.amount / unit : ''}
      onChange={(typed) =>
        onChange(typed === '' ? null : { amount: Math.round(Number(typed) * unit), currency })
      }
    />
  );
}

export function MoneyEditor(props: EditorProps<FieldOf<'money'>>) {
  return (
    <MoneyInput
      {...common(props)}
      value={props.value as Money | null | undefined}
      onChange={props.onChange}
    />
  );
}
