import type { JsonValue } from '@bufbuild/protobuf';

/**
 * Inferred type of a column's cells; `mixed` if JSON values of several types are stored unchanged;
 * `empty` if all cells are empty.
 */
export type CellType = 'number' | 'commaNumber' | 'boolean' | 'json' | 'text' | 'mixed' | 'empty';

/**
 * Value that changes a column's type: in a column that started with numbers, the first cell that
 * isn't a number, which makes it a text column; in a mixed column, the first value of a second
 * type, as JSON.
 */
export interface TypeConflict {
  readonly line: number;
  readonly text: string;
}

/**
 * Numbers in JSON format. `007` and `+1` are excluded because they are usually codes or phone
 * numbers.
 */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
/** Numbers with a decimal comma and dots as thousands separators. */
const COMMA_NUMBER = /^-?(?:[1-9]\d{0,2}(?:\.\d{3})+|0|[1-9]\d*)(?:,\d+)?$/;
/** Numbers whose commas can also be interpreted as thousands separators. */
const THOUSANDS = /^-?[1-9]\d{0,2}(?:,\d{3})+$/;
const BOOLEAN = /^(?:true|false)$/i;

/** Infers the common type of all cells in a column. */
export class ColumnTypeDetector {
  filled = 0;
  conflict: TypeConflict | undefined;
  private readonly possible = new Set<CellType>(['number', 'boolean', 'json', 'commaNumber']);
  /** True if a comma is certainly not a thousands separator. */
  private hasDecimalComma = false;
  private hasComma = false;
  private hasDot = false;
  /** Type of the JSON values, which are stored unchanged; undefined for a table. */
  private valueType: CellType | undefined;

  /** Adds a JSON value other than null. */
  addValue(value: JsonValue, line: number): void {
    const type = getValueType(value);
    if (this.valueType !== undefined && this.valueType !== 'mixed' && type !== this.valueType) {
      this.conflict = { line, text: JSON.stringify(value) };
      this.valueType = 'mixed';
    }
    this.valueType ??= type;
    this.filled += 1;
  }

  add(cell: string, line: number): void {
    const text = cell.trim();
    if (text === '') return;
    if (this.possible.has('number') && !isNumber(text)) {
      this.possible.delete('number');
      if (this.filled > 0) this.conflict = { line, text };
    }
    if (this.possible.has('commaNumber') && !isCommaNumber(text)) {
      this.possible.delete('commaNumber');
    }
    this.hasComma ||= text.includes(',');
    this.hasDecimalComma ||= text.includes(',') && !THOUSANDS.test(text);
    this.hasDot ||= text.includes('.');
    if (this.possible.has('boolean') && !BOOLEAN.test(text)) this.possible.delete('boolean');
    if (this.possible.has('json') && !isJson(text)) this.possible.delete('json');
    this.filled += 1;
  }

  get type(): CellType {
    if (this.filled === 0) return 'empty';
    if (this.valueType !== undefined) return this.valueType;
    const [first = 'text'] = this.possible;
    return first === 'commaNumber' ? 'text' : first;
  }

  /** True if all cells are numbers, and at least one certainly has a decimal comma. */
  get hasDecimalCommas(): boolean {
    return this.possible.has('commaNumber') && this.hasDecimalComma;
  }

  /**
   * True if all cells are numbers, and at least one has a dot that is not a thousands separator.
   */
  get hasDecimalDots(): boolean {
    return this.hasDot && this.type === 'number' && !this.possible.has('commaNumber');
  }

  /**
   * Type of the column in a table with decimal commas, where `1.000` is a thousand and `1,000` is
   * one.
   */
  get typeAmongCommas(): CellType {
    const isWritten = this.filled > 0 && (this.hasComma || this.hasDot);
    return isWritten && this.possible.has('commaNumber') ? 'commaNumber' : this.type;
  }
}

function getValueType(value: JsonValue): CellType {
  switch (typeof value) {
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'string':
      return 'text';
    default:
      return 'json';
  }
}

/**
 * Converts a cell to the value to store; returns undefined for an empty cell, which is not stored.
 */
export function parseCell(cell: string, type: CellType): JsonValue | undefined {
  const text = cell.trim();
  if (text === '') return undefined;
  switch (type) {
    case 'number':
      return Number(text);
    case 'commaNumber':
      return Number(withDecimalDot(text));
    case 'boolean':
      return text.toLowerCase() === 'true';
    case 'json':
      return exactJson(text);
    default:
      return cell;
  }
}

/**
 * Returns true for numbers. Integers that a double can't represent exactly remain strings, so that
 * no digits are lost.
 */
export function isNumber(text: string): boolean {
  if (!NUMBER.test(text)) return false;
  const value = Number(text);
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

function isCommaNumber(text: string): boolean {
  return COMMA_NUMBER.test(text) && isNumber(withDecimalDot(text));
}

function withDecimalDot(text: string): string {
  return text.replaceAll('.', '').replace(',', '.');
}

/** Returns true for lists and objects. Scalars have other types. */
export function isJson(text: string): boolean {
  if (!text.startsWith('[') && !text.startsWith('{')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Pattern of numbers that a double might not represent: many digits, or a three-digit exponent. */
const SUSPECT = /\d{16}|[eE]\+?\d{3}/;
const WHOLE = /^-?\d+$/;

/**
 * Reviver for `JSON.parse` with the additional argument of newer JavaScript engines, which
 * TypeScript doesn't declare yet.
 */
type Reviver = (
  this: unknown,
  key: string,
  value: unknown,
  context?: { readonly source?: string },
) => unknown;

/**
 * Parses JSON. Converts integers that a double can't represent exactly, and numbers beyond the
 * range of doubles, to strings, so that no digits are lost. @throws SyntaxError
 */
export function exactJson(text: string): JsonValue {
  if (!SUSPECT.test(text)) return JSON.parse(text) as JsonValue;
  const reviver: Reviver = (_key, value, context) => {
    const source = context?.source;
    return typeof value === 'number' && source !== undefined && isInexact(value, source)
      ? source
      : value;
  };
  return JSON.parse(text, reviver) as JsonValue;
}

/** Returns true if an integer has lost digits of its source text, or if a number isn't finite. */
export function isInexact(value: number, source: string): boolean {
  // This condition also applies to `-0`, which is written as 0.
  if (value === 0) return false;
  return !Number.isFinite(value) || (WHOLE.test(source) && source !== String(value));
}
