import { strFromU8, unzipSync } from 'fflate';

const MS_PER_DAY = 86_400_000;
const EPOCH_DAY = 25_569;

/** Returns the sheets of a workbook by name: rows of strings, with times in ISO 8601. */
export function readWorkbook(bytes: Uint8Array): Record<string, string[][]> {
  const parts = unzipSync(bytes);
  const part = (path: string): string => strFromU8(parts[path] ?? new Uint8Array());
  const names = [...part('xl/workbook.xml').matchAll(/<sheet name="([^"]*)"/g)];
  return Object.fromEntries(
    names.map(([, name = ''], index) => [
      name,
      readRows(part(`xl/worksheets/sheet${String(index + 1)}.xml`)),
    ]),
  );
}

function readRows(sheet: string): string[][] {
  return [...sheet.matchAll(/<row r="(\d+)">(.*?)<\/row>/gs)].map(([, , cells = '']) => {
    const row: string[] = [];
    for (const match of cells.matchAll(/<c r="([A-Z]+)\d+"([^>]*)>(.*?)<\/c>/gs)) {
      const [, name = '', attributes = '', content = ''] = match;
      row[columnIndex(name)] = readCell(attributes, content);
    }
    return Array.from({ length: row.length }, (_, column) => row[column] ?? '');
  });
}

function columnIndex(name: string): number {
  return name.split('').reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function readCell(attributes: string, content: string): string {
  const text = unescapeXml(content.replaceAll(/<[^>]*>/g, ''));
  if (attributes.includes('t="inlineStr"')) return text;
  if (attributes.includes('t="b"')) return text === '1' ? 'true' : 'false';
  const style = /s="(\d)"/.exec(attributes)?.[1];
  if (style === undefined) return text;
  const time = new Date(Math.round((Number(text) - EPOCH_DAY) * MS_PER_DAY)).toISOString();
  return style === '2' ? time.slice(0, 10) : time;
}

function unescapeXml(text: string): string {
  return text
    .replaceAll(/&(lt|gt|quot|amp);/g, (_, name: string) => SIGNS[name] ?? '')
    .replaceAll(/_x([\dA-F]{4})_/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
}

const SIGNS: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' };
