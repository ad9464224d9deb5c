import { isListOf, isString } from '../../src/shared/guards';
import type { KeptViews } from '../ui/keptViews';
import type { TableColumn } from '../ui/table/tableRow';

/** The columns of whole readings in the order in which services send them. */
const IDS = ['organization_id', 'location_id', 'robot_id', 'part_id'];
const TIMES = ['time_received', 'time_requested'];
const COMPONENT = ['component_name', 'component_type', 'method_name'];
const LAST = ['tags', 'additional_parameters'];

/** Fewer of these, and a person has selected them one by one. */
const MIN_READINGS_COLUMNS = 8;
const ID_WIDTH = 96;
/** Under this name the page keeps the order of columns. */
const KEPT_AS = 'resultColumns';

const isKept = isListOf(isString);

/**
 * Puts the columns of whole readings, as SELECT * has them, in the order in which people read them: times,
 * component and data first, and IDs last. Columns that were selected one by one stay in their order.
 */
export function orderReadings(columns: readonly TableColumn[]): readonly TableColumn[] {
  const names = new Set(columns.map(({ name }) => topOf(name)));
  const known = [...IDS, ...TIMES, ...COMPONENT, ...LAST].filter((name) => names.has(name));
  // One by one, people seldom begin with the ID of the organization.
  const isWhole = known.length >= MIN_READINGS_COLUMNS && columns[0]?.name === known[0];
  if (!isWhole) return columns;
  return columns.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function rankOf({ name }: TableColumn): number {
  const top = topOf(name);
  const groups = [TIMES, COMPONENT, ['data'], undefined, LAST, IDS];
  const group = groups.findIndex((group) => group?.includes(top));
  if (group < 0) return 100 * groups.indexOf(undefined);
  return 100 * group + (groups[group]?.indexOf(top) ?? 0);
}

function topOf(name: string): string {
  return name.split('.')[0] ?? '';
}

/** The initial widths of columns by their names: IDs are long, and people seldom read them. */
export const READINGS_WIDTHS: Readonly<Record<string, number>> = Object.fromEntries(
  IDS.map((name) => [name, ID_WIDTH]),
);

/** The names of columns in the order that a person chose. */
export function keptColumnOrder(kept: KeptViews): readonly string[] {
  const names = kept.get(KEPT_AS);
  return isKept(names) ? names : [];
}

export function keepColumnOrder(kept: KeptViews, names: readonly string[]): void {
  kept.set(KEPT_AS, names);
}
