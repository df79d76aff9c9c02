/** More words than this are not compared one by one. */
const MOST_WORDS = 600;

export type Piece = { text: string; at: number; kind: 'same' | 'added' | 'removed' };

const wordsOf = (text: string) => text.match(/\s+|[^\s]+/g) ?? [];

/** What of a text is not in the other: words that stay together are told together. */
export function differencesIn(text: string, other: string, kind: 'added' | 'removed'): Piece[] {
  const [mine, theirs] = [wordsOf(text), wordsOf(other)];
  if (mine.length > MOST_WORDS || theirs.length > MOST_WORDS || other === '')
    return [{ text, at: 0, kind: 'same' }];
  // How many words both have in common from here on.
  const common = Array.from({ length: mine.length + 1 }, () => new Uint16Array(theirs.length + 1));
  const at = (row: number, column: number) => common[row]?.[column] ?? 0;
  for (let row = mine.length - 1; row >= 0; row--)
    for (let column = theirs.length - 1; column >= 0; column--) {
      const best =
        mine[row] === theirs[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
      const line = common[row];
      if (line) line[column] = best;
    }
  const pieces: Piece[] = [];
  const add = (word: string, of: Piece['kind'], position: number) => {
    const last = pieces.at(-1);
    // A blank belongs to what stands before it.
    if (last && (last.kind === of || word.trim() === '')) last.text += word;
    else pieces.push({ text: word, at: position, kind: of });
  };
  let [row, column] = [0, 0];
  while (row < mine.length) {
    const word = mine[row] ?? '';
    if (word === theirs[column]) {
      add(word, 'same', row);
      row++;
      column++;
    } else if (column < theirs.length && at(row, column + 1) >= at(row + 1, column)) {
      column++;
    } else {
      add(word, kind, row);
      row++;
    }
  }
  return pieces;
}
