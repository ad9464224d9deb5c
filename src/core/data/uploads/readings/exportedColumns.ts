import { guardFormula } from '../../export/formulaGuard';
import { FIXED_COLUMNS } from '../../readings/tableColumn';

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
export type ExportedColumn =
  | { readonly kind: 'fixed'; readonly name: string }
  | { readonly kind: 'data'; readonly path: readonly string[] }
  | { readonly kind: 'further' };

/** Returns the columns of a table that this product exported; undefined for any other table. */
export function exportedColumns(names: readonly string[]): readonly ExportedColumn[] | undefined {
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
export function parseExportedName(name: string): readonly string[] | undefined {
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

/** Removes the formula guard of an export from a text. */
export function withoutGuard(text: string): string {
  const bare = text.slice(1);
  return text.startsWith("'") && guardFormula(bare) === text ? bare : text;
}
