import { Text } from '@mantine/core';
import { useMemo } from 'react';

const LETTERS = /[\p{L}\p{N}]+/gu;
/** Shorter words stand in everything. */
const SHORTEST = 4;

function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

const askedFor = (words: string) =>
  (words.match(LETTERS) ?? []).map(folded).filter((word) => word.length >= SHORTEST);

const isAsked = (word: string, wanted: readonly string[]) =>
  wanted.some((one) => word.startsWith(one.slice(0, Math.max(SHORTEST, one.length - 2))));

/** The words of a text that were asked for, as they stand there, each once. */
export function wordsIn(text: string, words: string): string[] {
  const wanted = askedFor(words);
  const found = new Map<string, string>();
  for (const [word] of text.matchAll(LETTERS)) {
    const plain = folded(word);
    if (isAsked(plain, wanted) && !found.has(plain)) found.set(plain, word);
  }
  return [...found.values()];
}

/** A text in which the words that were asked for stand out, with or without their accents. */
export function MarkedText({ text, words }: { text: string; words: string }) {
  const parts = useMemo(() => {
    const wanted = askedFor(words);
    const found: { text: string; at: number; marked: boolean }[] = [];
    let from = 0;
    for (const match of text.matchAll(LETTERS)) {
      if (!isAsked(folded(match[0]), wanted)) continue;
      if (match.index > from) found.push({ text: text.slice(from, match.index), at: from, marked: false });
      found.push({ text: match[0], at: match.index, marked: true });
      from = match.index + match[0].length;
    }
    found.push({ text: text.slice(from), at: from, marked: false });
    return found;
  }, [text, words]);
  return (
    <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {parts.map((part) =>
        part.marked ? <mark key={part.at}>{part.text}</mark> : <span key={part.at}>{part.text}</span>,
      )}
    </Text>
  );
}
