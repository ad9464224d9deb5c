import { Zip, ZipDeflate } from 'fflate';
import { DataColumns } from '../../tables/dataColumns';
import { formatJson } from '../../tables/formatCell';
import type { ExportFile, RecordLayout, RecordWriter } from '../recordWriter';
import {
  escapeXml,
  getSheetNames,
  type SheetCell,
  sheetCell,
  type SheetCellType,
  STYLES,
  textCell,
  type WorkbookStrings,
} from './sheetCell';

/** Maximum number of rows in an Excel sheet, without the header row. */
export const MAX_SHEET_ROWS = 1_048_575;

/** Maximum size of a ZIP entry without ZIP64. Some programs can't read ZIP64. */
const MAX_PART_BYTES = 0xff_ff_00_00;

/** Error thrown when the records exceed the maximum number of rows or bytes in a sheet. */
export class SheetLimitError extends Error {
  override readonly name = 'SheetLimitError';

  constructor(readonly limit: 'rows' | 'bytes') {
    super(`a sheet has no room for so many ${limit}`);
  }
}

/** @throws SheetLimitError when there are too many rows for a sheet. */
export function checkRowCount(rows: number): void {
  if (rows > MAX_SHEET_ROWS) throw new SheetLimitError('rows');
}

/** Summary of a column's values. */
interface ColumnSummary {
  readonly types: Set<SheetCellType>;
  cut: number;
}

/**
 * Writes records as an Excel workbook. Buffers only the records of the current batch. Writes the
 * rows first, as plain XML, and the rest of the workbook when all columns are known. A second sheet
 * lists the types of the columns. docs/adr/0037-own-xlsx-writer.md explains why this doesn't use a
 * library.
 */
export class XlsxWriter<Record> implements RecordWriter<Record> {
  private readonly columns: DataColumns;
  private readonly encoder = new TextEncoder();
  private readonly summaries: ColumnSummary[] = [];
  private readonly overflowSummary: ColumnSummary = { types: new Set(), cut: 0 };
  private rows = 0;
  private bytes = 0;

  constructor(
    private readonly file: ExportFile,
    private readonly layout: RecordLayout<Record>,
    private readonly strings: WorkbookStrings,
  ) {
    this.columns = new DataColumns(layout.root);
  }

  /** @throws SheetLimitError when the records exceed a sheet's limits. */
  async write(records: readonly Record[]): Promise<void> {
    checkRowCount(this.rows + records.length);
    const bytes = this.encoder.encode(records.map((record) => this.row(record)).join(''));
    this.bytes += bytes.length;
    if (this.bytes > MAX_PART_BYTES) throw new SheetLimitError('bytes');
    await this.file.write(bytes);
  }

  async end(signal: AbortSignal): Promise<void> {
    await this.file.rewrite(0, (rows) => this.workbook(rows, signal));
  }

  private row(record: Record): string {
    this.rows += 1;
    const position = this.rows + 1;
    const { fixed, fixedValues, data } = this.layout;
    const { truncated } = this.strings;
    const cells: string[] = [];
    const add = (
      column: number,
      cell: SheetCell,
      summary = this.getColumnSummary(column),
    ): void => {
      summary.types.add(cell.type);
      summary.cut += Number(cell.isCut);
      cells[column] = writeCell(column, position, cell);
    };
    for (const [column, value] of fixedValues(record).entries()) {
      if (value !== undefined) add(column, sheetCell(value, truncated));
    }
    const overflow = this.columns.read(data(record), (column, value) =>
      add(fixed.length + column, sheetCell(value, truncated)),
    );
    if (overflow) {
      const text = formatJson(Object.fromEntries(overflow));
      const cell = textCell(text, { type: 'json', truncated });
      add(fixed.length + this.columns.list.length, cell, this.overflowSummary);
    }
    return writeRow(position, cells);
  }

  private getColumnSummary(column: number): ColumnSummary {
    return (this.summaries[column] ??= { types: new Set(), cut: 0 });
  }

  private async *workbook(
    rows: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const names = [...this.layout.fixed, ...this.columns.list.map(({ name }) => name)];
    const summaries = names.map((_, column) => this.getColumnSummary(column));
    if (this.overflowSummary.types.size > 0) {
      names.push(this.layout.overflowName);
      summaries.push(this.overflowSummary);
    }
    const zip = new ZipChunks();
    const named = workbookPart(getSheetNames(this.strings));
    for (const [path, text] of [...Object.entries(WORKBOOK_PARTS), named]) {
      zip.begin(path);
      yield* zip.add(this.encoder.encode(text), true);
    }
    zip.begin(sheetPath('columns'));
    yield* zip.add(this.encoder.encode(columnSheet(names, summaries, this.strings)), true);
    zip.begin(sheetPath('rows'));
    const header = names.map((name, column) =>
      writeCell(column, 1, textCell(name, { type: 'text', style: STYLES.header })),
    );
    yield* zip.add(this.encoder.encode(SHEET_START + writeRow(1, header)), false);
    for await (const chunk of rows) {
      signal.throwIfAborted();
      yield* zip.add(chunk, false);
    }
    yield* zip.add(this.encoder.encode(SHEET_END), true);
    yield* zip.end();
  }
}

/** Returns the sheet that lists the types of all columns. */
function columnSheet(
  names: readonly string[],
  summaries: readonly ColumnSummary[],
  { column: header, types: typesHeader, truncatedTexts, typeNames }: WorkbookStrings,
): string {
  const table = [
    [header, typesHeader, truncatedTexts],
    ...names.map((name, index) => {
      const { types, cut } = summaries[index] ?? { types: new Set<SheetCellType>(), cut: 0 };
      const called = [...types].map((type) => typeNames[type]);
      return [name, called.join(', '), cut === 0 ? '' : String(cut)];
    }),
  ];
  const rows = table.map((texts, index) => {
    const style = index === 0 ? STYLES.header : STYLES.text;
    const cells = texts.map((text, column) =>
      writeCell(column, index + 1, textCell(text, { type: 'text', style })),
    );
    return writeRow(index + 1, cells);
  });
  return SHEET_START + rows.join('') + SHEET_END;
}

function writeRow(position: number, cells: readonly string[]): string {
  return `<row r="${String(position)}">${cells.join('')}</row>`;
}

function writeCell(column: number, row: number, { attributes, content }: SheetCell): string {
  return `<c r="${columnName(column)}${String(row)}"${attributes}>${content}</c>`;
}

/** Returns the name of the column at a zero-based index: A to Z, AA, and so on. */
function columnName(index: number): string {
  const rest = Math.floor(index / 26) - 1;
  return (rest < 0 ? '' : columnName(rest)) + String.fromCodePoint(65 + (index % 26));
}

/** Generates a ZIP file part by part. */
class ZipChunks {
  private readonly ready: Uint8Array[] = [];
  private part: ZipDeflate | undefined;
  private failure: Error | undefined;
  private readonly zip = new Zip((error, chunk) => {
    // The type declaration wrongly excludes null.
    this.failure ??= (error as Error | null) ?? undefined;
    if (chunk.length > 0) this.ready.push(chunk);
  });

  begin(path: string): void {
    this.part = new ZipDeflate(path, { level: 6 });
    this.zip.add(this.part);
  }

  *add(bytes: Uint8Array, isLast: boolean): Generator<Uint8Array, void> {
    this.part?.push(bytes, isLast);
    yield* this.take();
  }

  *end(): Generator<Uint8Array, void> {
    this.zip.end();
    yield* this.take();
  }

  private *take(): Generator<Uint8Array, void> {
    if (this.failure) throw this.failure;
    yield* this.ready.splice(0);
  }
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Sheets in tab order. */
const SHEETS = ['rows', 'columns'] as const;

/** Returns the path of a sheet within the workbook. */
function sheetPath(sheet: (typeof SHEETS)[number]): string {
  return `xl/worksheets/sheet${String(SHEETS.indexOf(sheet) + 1)}.xml`;
}

/**
 * Start of a sheet's XML, before its rows. Freezes the first row so that it stays visible when the
 * user scrolls.
 */
const SHEET_START = `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`;
const SHEET_END = '</sheetData></worksheet>';

/** Returns the path and text of the workbook part that lists the sheet names. */
function workbookPart(names: readonly string[]): readonly [path: string, text: string] {
  const sheets = names.map(
    (name, index) =>
      `<sheet name="${escapeXml(name)}" sheetId="${String(index + 1)}" r:id="rId${String(index + 1)}"/>`,
  );
  return [
    'xl/workbook.xml',
    `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${sheets.join('')}</sheets></workbook>`,
  ];
}

/** Parts of a workbook that don't depend on its rows. The formats are in the order of `STYLES`. */
const WORKBOOK_PARTS: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>${SHEETS.map((sheet) => `<Override PartName="/${sheetPath(sheet)}" ContentType="${TYPE}.worksheet+xml"/>`).join('')}</Types>`,
  '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships">${SHEETS.map((sheet, index) => `<Relationship Id="rId${String(index + 1)}" Type="${RELATIONS}/worksheet" Target="${sheetPath(sheet).slice('xl/'.length)}"/>`).join('')}<Relationship Id="rId${String(SHEETS.length + 1)}" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf xfId="0"/><xf numFmtId="164" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>`,
};
