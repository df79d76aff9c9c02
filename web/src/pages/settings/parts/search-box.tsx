import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useTexts } from '../../../i18n';

/** What is looked for, which stands in the address a moment after it was typed. */
export function SearchBox({
  value,
  change,
}: {
  value: string | undefined;
  change: (words: string | undefined) => void;
}) {
  const t = useTexts();
  const [typed, setTyped] = useState(value ?? '');
  const later = useDebouncedCallback((words: string) => change(words.trim() || undefined), 250);
  useEffect(() => {
    setTyped((now) => (now.trim() === (value ?? '') ? now : (value ?? '')));
  }, [value]);
  return (
    <TextInput
      type="search"
      aria-label={t.common.search}
      placeholder={t.common.search}
      maw={{ base: '100%', xs: 320 }}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        later(event.currentTarget.value);
      }}
    />
  );
}

const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Whether something is about what is looked for, with or without accents. */
export function matcher<T>(words: string | undefined, textOf: (item: T) => string) {
  if (!words) return undefined;
  const wanted = folded(words).split(/\s+/);
  return (item: T) => {
    const text = folded(textOf(item));
    return wanted.every((word) => text.includes(word));
  };
}
