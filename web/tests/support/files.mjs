// Real files of several kinds, as a business has them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A PDF of one page, by hand: what a program that writes them does, without one. */
export function onePagePdf(lines) {
  // Only what Latin-1 has, which is all that Spanish needs.
  const plain = (text) => text.replace(/[\\()]/g, '\\$&');
  const drawn = lines.map((line) => `(${plain(line)}) Tj T*`).join('\n');
  const stream = `BT /F1 12 Tf 16 TL 72 770 Td\n${drawn}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let file = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const table = file.length;
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

/** Five files of five kinds that say something different each. Returns their paths. */
export async function fiveFiles(folder) {
  const files = {
    'precios.txt': 'Examen de la vista\n\nEl examen de la vista cuesta 45 soles y dura veinte minutos.\n',
    'garantia.md':
      '# Garantía\n\nLas monturas tienen garantía de dieciocho meses contra defectos de fábrica.\n',
    'lentes.csv': 'lente,precio\nMonofocal,120 soles\nProgresivo,390 soles\n',
    'estacionamiento.html':
      '<!doctype html><html lang="es"><title>Estacionamiento</title><body><h1>Estacionamiento</h1><p>El estacionamiento está en el sótano y es gratis la primera hora.</p></body></html>',
    'convenios.pdf': onePagePdf([
      'Convenios',
      '',
      'Con el seguro Andes el examen de la vista tiene treinta por ciento de descuento.',
    ]),
  };
  const paths = [];
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await writeFile(path, content);
    paths.push(path);
  }
  return paths;
}
