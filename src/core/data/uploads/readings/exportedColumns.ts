import { guardFormula } from '../../export/formulaGuard';
import { FIXED_COLUMNS } from '../../readings/tableColumn';

/** The column of exported tables for what found none of its own: one JSON object of names and values. */
const FURTHER = 'data (further)';
const STEP = /^(?:\.([^.[\]"]+)|\[("(?:[^"\\]|\\.)*")\])/;
const ROOT = 'data';

/** What a column of an exported table has: something known of every reading, or a value of the payload. */
export type ExportedColumn =
  | { readonly kind: 'fixed'; readonly name: string }
  | { readonly kind: 'data'; readonly path: readonly string[] }
  | { readonly kind: 'further' };

/** The columns of a table that this product has exported; undefined for every other table. */
export function exportedColumns(names: readonly string[]): readonly ExportedColumn[] | undefined {
  if (!FIXED_COLUMNS.every((name, index) => names[index] === name)) return undefined;
  const columns = names.map((name, index): ExportedColumn | undefined => {
    if (index < FIXED_COLUMNS.length) return { kind: 'fixed', name };
    if (name === FURTHER) return { kind: 'further' };
    const path = pathOfName(name);
    return path && { kind: 'data', path };
  });
  return columns.every((column) => column !== undefined) ? columns : undefined;
}

/** The path that an exported name stands for, such as `data.readings["a.b"]`; undefined for other names. */
export function pathOfName(name: string): readonly string[] | undefined {
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

/** The text that an export has guarded against being taken for a formula. */
export function withoutGuard(text: string): string {
  const bare = text.slice(1);
  return text.startsWith("'") && guardFormula(bare) === text ? bare : text;
}
