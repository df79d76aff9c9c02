/** A cell that a spreadsheet takes for a formula gets an apostrophe, which makes it a text. */
function cell(value: string | number): string {
  const text = String(value);
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

export function csvOf(rows: (string | number)[][]): string {
  return rows.map((row) => row.map(cell).join(',')).join('\r\n');
}

/** Hands a table to the browser as a file. The mark at its beginning tells spreadsheets of its accents. */
export function saveCsv(name: string, rows: (string | number)[][]) {
  const address = URL.createObjectURL(new Blob(['\uFEFF', csvOf(rows)], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads it a moment later.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
