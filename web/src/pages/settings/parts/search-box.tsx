import { useTexts } from '../../../i18n';
import { SearchField } from '../../../parts/search-field';

/** A search among what a page has already. */
export function SearchBox({
  value,
  change,
}: {
  value: string | undefined;
  change: (words: string | undefined) => void;
}) {
  const label = useTexts().common.search;
  return <SearchField label={label} value={value} change={change} maw={{ base: '100%', xs: 320 }} />;
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
