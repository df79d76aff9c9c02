import { saveFile } from '../../parts/save';

/** What a spreadsheet may cut a cell at, and what a formula begins with, in letters of either width. */
const FORMULA = /(^|[;\t\n\r|])(["']*)(?=[=+\-@＝＋－＠])/g;

/** A spreadsheet runs what begins like a formula; a space in front keeps it from that, as in tables of the server. */
function cell(value: string | number): string {
  const text = String(value);
  const plain = typeof value === 'number' ? text : text.replace(FORMULA, '$1$2 ');
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

export function csvOf(rows: (string | number)[][]): string {
  return rows.map((row) => row.map(cell).join(',')).join('\r\n');
}

/** Hands a table to the browser as a file. The mark at its beginning tells spreadsheets of its accents. */
export function saveCsv(name: string, rows: (string | number)[][]) {
  saveFile(name, new Blob(['\uFEFF', csvOf(rows)], { type: 'text/csv;charset=utf-8' }));
}
