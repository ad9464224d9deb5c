import type { JsonValue } from '@bufbuild/protobuf';
import { exactJson } from './exactJson';

/** What the cells of a column are taken for; `empty` when none has anything in it. */
export type CellType = 'number' | 'commaNumber' | 'boolean' | 'json' | 'text' | 'empty';

/** The cell for which a column of numbers is taken as text after all. */
export interface TypeDoubt {
  readonly line: number;
  readonly text: string;
}

/** As JSON has it: `007` and `+1` are codes and telephone numbers. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
/** With a comma before decimals, and dots between thousands. */
const COMMA_NUMBER = /^-?(?:[1-9]\d{0,2}(?:\.\d{3})+|0|[1-9]\d*)(?:,\d+)?$/;
/** What commas between thousands look like, too. */
const THOUSANDS = /^-?[1-9]\d{0,2}(?:,\d{3})+$/;
const BOOLEAN = /^(?:true|false)$/i;

/** Finds out what all cells of a column can be taken for. */
export class ColumnGuess {
  filled = 0;
  doubt: TypeDoubt | undefined;
  private readonly possible = new Set<CellType>(['number', 'boolean', 'json', 'commaNumber']);
  /** One that is not between thousands. */
  private hasDecimalComma = false;
  private hasComma = false;
  private hasDot = false;

  add(cell: string, line: number): void {
    const text = cell.trim();
    if (text === '') return;
    if (this.possible.has('number') && !isNumber(text)) {
      this.possible.delete('number');
      if (this.filled > 0) this.doubt = { line, text };
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
    const [first = 'text'] = this.possible;
    return first === 'commaNumber' ? 'text' : first;
  }

  /** Whether all are numbers, and some has a decimal comma without a doubt. */
  get hasDecimalCommas(): boolean {
    return this.possible.has('commaNumber') && this.hasDecimalComma;
  }

  /** Whether all are numbers, and some has a dot that is not between thousands. */
  get hasDecimalDots(): boolean {
    return this.hasDot && this.type === 'number' && !this.possible.has('commaNumber');
  }

  /** The type in a table whose numbers have decimal commas: `1.000` is a thousand there, `1,000` is one. */
  get typeAmongCommas(): CellType {
    const isWritten = this.filled > 0 && (this.hasComma || this.hasDot);
    return isWritten && this.possible.has('commaNumber') ? 'commaNumber' : this.type;
  }
}

/** What a cell is stored as; undefined when it is empty, which stands for nothing at all. */
export function valueOfCell(cell: string, type: CellType): JsonValue | undefined {
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

/** Whole numbers that no double holds stay texts, so that no digit is lost. */
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

/** Lists and objects; single values are told by other types. */
export function isJson(text: string): boolean {
  if (!text.startsWith('[') && !text.startsWith('{')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
