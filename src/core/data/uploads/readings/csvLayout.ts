import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { exactJson, isInexact, isJson, isNumber, parseCell } from './columnGuess';
import type { CsvCell, CsvRecord } from './csvRecords';
import { ReadingsError } from './textFormat';
import type {
  ColumnTypeDetectors,
  ColumnTypes,
  RowContent,
  RowProblem,
  SourceRow,
} from './readingRow';
import { guardFormula } from '../../export/recordWriter';
import { FIXED_COLUMNS } from '../../readingsListing';

const MAX_COLUMNS = 10_000;

/** Columns in a table, taken from its first row. */
export class CsvColumns {
  readonly names: readonly string[];
  /** Columns in a table that this product exported; undefined for other tables. */
  readonly exported: readonly ExportedColumn[] | undefined;
  private readonly paths: readonly (readonly string[])[];
  /** Column indexes by name, because rows can have thousands of columns. */
  private readonly indexByName: ReadonlyMap<string, number>;

  /** @throws ReadingsError when the row contains no column names or contains duplicates. */
  constructor({ cells }: CsvRecord) {
    const names = cells.map(getCellText).map((name) => name.trim());
    if (names.length > MAX_COLUMNS) {
      const counts = { columns: names.length, max: MAX_COLUMNS };
      throw new ReadingsError({ kind: 'manyColumns', ...counts });
    }
    if (names.every((name) => name === '' || isNumber(name))) {
      throw new ReadingsError({ kind: 'noHeader' });
    }
    // A column without a name gets a name based on its position.
    this.names = names.map((name, index) => (name === '' ? `column_${index + 1}` : name));
    this.indexByName = new Map(this.names.map((name, index) => [name, index]));
    const same = this.names.find((name, index) => this.indexByName.get(name) !== index);
    if (same !== undefined) throw new ReadingsError({ kind: 'sameColumn', column: same });
    this.exported = exportedColumns(names.map(withoutGuard));
    this.paths = this.names.map(splitDottedName);
  }

  /** Returns the cells as a source row for a reading. */
  row({ line, cells }: CsvRecord): SourceRow {
    const expected = this.names.length;
    const found = cells.length;
    // Some programs add a separator at the end of every line.
    const isLonger =
      found > expected && cells.slice(expected).some((cell) => getCellText(cell) !== '');
    const problem: RowProblem | undefined =
      found < expected || isLonger ? { line, kind: 'cells', found, expected } : undefined;
    return {
      line,
      problem,
      timeText: (column) => getCellText(cells[this.indexByName.get(column) ?? -1] ?? ''),
      note: (detectors) => this.note(cells, line, detectors),
      content: (types, timeColumn) =>
        this.exported
          ? exportedContent(this.exported, cells, line)
          : this.plainContent(cells, types, timeColumn, line),
    };
  }

  private note(cells: readonly CsvCell[], line: number, detectors: ColumnTypeDetectors): void {
    this.names.forEach((name, index) =>
      detectors.get(name)?.add(getCellText(cells[index] ?? ''), line),
    );
  }

  private plainContent(
    cells: readonly CsvCell[],
    types: ColumnTypes,
    timeColumn: string,
    line: number,
  ): RowContent | RowProblem {
    const data = new NestedData();
    for (const [index, name] of this.names.entries()) {
      if (name === timeColumn) continue;
      const value = parseCell(getCellText(cells[index] ?? ''), types.get(name) ?? 'text');
      if (value === undefined) continue;
      if (!data.put(this.paths[index] ?? [name], value)) {
        return { line, kind: 'overlap', column: name };
      }
    }
    return { data: data.toObject() };
  }
}

/** Splits a name at its dots, which separate nested keys, unless one of the keys would be empty. */
function splitDottedName(name: string): readonly string[] {
  const path = name.split('.');
  return path.includes('') ? [name] : path;
}

function exportedContent(
  columns: readonly ExportedColumn[],
  cells: readonly CsvCell[],
  line: number,
): RowContent | RowProblem {
  const data = new NestedData();
  const fixed = new Map<string, string>();
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? '';
    if (column.kind === 'fixed') {
      fixed.set(column.name, withoutGuard(getCellText(cell)));
      continue;
    }
    const value = exportedValue(cell);
    if (value === undefined) continue;
    const values =
      column.kind === 'data' ? [{ path: column.path, value }] : parseOverflowValues(value);
    const overlap = values.find((one) => !data.put(one.path, one.value));
    if (overlap) return { line, kind: 'overlap', column: overlap.path.join('.') };
  }
  const tags = fixed.get('tags') ?? '';
  return {
    data: data.toObject(),
    component: fixed.get('component'),
    method: fixed.get('method'),
    ...(isJson(tags) && { tags: (JSON.parse(tags) as unknown[]).map(String) }),
  };
}

/** Converts an exported cell to its value. Exports quote only strings. */
function exportedValue(cell: CsvCell): JsonValue | undefined {
  if (typeof cell !== 'string') {
    return isJson(cell.quoted) ? exactJson(cell.quoted) : withoutGuard(cell.quoted);
  }
  if (cell === '') return undefined;
  if (cell === 'null') return null;
  if (cell === 'true' || cell === 'false') return cell === 'true';
  const value = Number(cell);
  return isInexact(value, cell) ? cell : value;
}

function parseOverflowValues(value: JsonValue): { path: readonly string[]; value: JsonValue }[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const object: JsonObject = value;
  return Object.entries(object).map(([name, one]) => ({
    path: parseExportedName(name) ?? [name],
    value: one,
  }));
}

function getCellText(cell: CsvCell): string {
  return typeof cell === 'string' ? cell : cell.quoted;
}

type Branch = Map<string, JsonValue | Branch>;

/** Assembles values at paths into one object. */
class NestedData {
  private readonly root: Branch = new Map();

  /**
   * @returns false if the path conflicts with another value: a value can't contain or replace
   *   another value.
   */
  put(path: readonly string[], value: JsonValue): boolean {
    let branch = this.root;
    for (const key of path.slice(0, -1)) {
      const below = branch.get(key) ?? new Map<string, JsonValue | Branch>();
      if (!(below instanceof Map)) return false;
      branch.set(key, below);
      branch = below;
    }
    const last = path.at(-1) ?? '';
    if (branch.has(last)) return false;
    branch.set(last, value);
    return true;
  }

  toObject(): JsonObject {
    return toJsonObject(this.root);
  }
}

/**
 * Defines members instead of assigning them, so that names such as `__proto__` don't affect the
 * prototype.
 */
function toJsonObject(branch: Branch): JsonObject {
  return Object.fromEntries(
    [...branch].map(([key, value]) => [key, value instanceof Map ? toJsonObject(value) : value]),
  );
}

/**
 * Column of exported tables that contains all values without a separate column, as one JSON object.
 */
const FURTHER = 'data (further)';
const STEP = /^(?:\.([^.[\]"]+)|\[("(?:[^"\\]|\\.)*")\])/;
const ROOT = 'data';

/**
 * Meaning of a column in an exported table: a field that every reading has, or a value in the
 * payload.
 */
type ExportedColumn =
  | { readonly kind: 'fixed'; readonly name: string }
  | { readonly kind: 'data'; readonly path: readonly string[] }
  | { readonly kind: 'further' };

/** Returns the columns in a table that this product exported; undefined for any other table. */
function exportedColumns(names: readonly string[]): readonly ExportedColumn[] | undefined {
  if (!FIXED_COLUMNS.every((name, index) => names[index] === name)) return undefined;
  const columns = names.map((name, index): ExportedColumn | undefined => {
    if (index < FIXED_COLUMNS.length) return { kind: 'fixed', name };
    if (name === FURTHER) return { kind: 'further' };
    const path = parseExportedName(name);
    return path && { kind: 'data', path };
  });
  return columns.every((column) => column !== undefined) ? columns : undefined;
}

/**
 * Parses an exported name, such as `data.readings["a.b"]`, into a path; undefined for other names.
 */
function parseExportedName(name: string): readonly string[] | undefined {
  if (!name.startsWith(ROOT)) return undefined;
  const path: string[] = [];
  let rest = name.slice(ROOT.length);
  while (rest !== '') {
    const [step, plain, quoted] = STEP.exec(rest) ?? [];
    if (step === undefined) return undefined;
    path.push(plain ?? (JSON.parse(quoted ?? '""') as string));
    rest = rest.slice(step.length);
  }
  return path.length > 0 ? path : undefined;
}

/** Removes the formula guard that an export adds to text. */
function withoutGuard(text: string): string {
  const bare = text.slice(1);
  return text.startsWith("'") && guardFormula(bare) === text ? bare : text;
}
