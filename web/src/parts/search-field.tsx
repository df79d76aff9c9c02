import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';

type Props = Pick<TextInputProps, 'maw' | 'size' | 'style'> & {
  label: string;
  value: string | undefined;
  change: (words: string | undefined) => void;
};

/** What is looked for, which stands in the address a moment after it was typed. */
export function SearchField({ label, value = '', change, ...looks }: Props) {
  const [typed, setTyped] = useState(value);
  const later = useDebouncedCallback((words: string) => change(words.trim() || undefined), 250);
  // The address changes by itself too, such as when filters are cleared.
  useEffect(() => setTyped((now) => (now.trim() === value ? now : value)), [value]);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={200}
      {...looks}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        later(event.currentTarget.value);
      }}
    />
  );
}
