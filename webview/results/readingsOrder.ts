import { isListOf, isString } from '../../src/shared/guards';
import type { ViewStateStore } from '../ui/createViewStateStore';
import type { TableColumn } from '../ui/table/tableRow';

/** The first columns of complete readings, in the order in which the service sends them. */
const IDS = ['organization_id', 'location_id', 'robot_id', 'part_id'];
const TIMES = ['time_received', 'time_requested'];
const COMPONENT = ['component_name', 'component_type', 'method_name'];
const LAST = ['tags', 'additional_parameters'];

/**
 * Minimum number of known columns in complete readings; if a result has fewer, the user selected
 * columns individually.
 */
const MIN_READINGS_COLUMNS = 8;
/** Column width that fits the first eight characters of a UUID and most of these column names. */
const ID_WIDTH = 96;
const NARROW_IDS = Object.fromEntries(IDS.map((name) => [name, ID_WIDTH]));
/** Key under which the page saves the column order. */
const KEPT_AS = 'resultColumns';

const isSavedOrder = isListOf(isString);

/**
 * Sorts the columns of complete readings, as SELECT * returns them, into a readable order: times,
 * component, and data first, and IDs last. Individually selected columns keep their order.
 */
export function orderReadings(columns: readonly TableColumn[]): readonly TableColumn[] {
  return hasWholeReadings(columns)
    ? columns.toSorted((a, b) => getSortRank(a) - getSortRank(b))
    : columns;
}

/**
 * Returns the initial column widths by name. In complete readings, ID columns show only the start
 * of the IDs; an individually selected ID column fits its contents.
 */
export function getReadingsWidths(
  columns: readonly TableColumn[],
): Readonly<Record<string, number>> {
  return hasWholeReadings(columns) ? NARROW_IDS : {};
}

function hasWholeReadings(columns: readonly TableColumn[]): boolean {
  const names = new Set(columns.map(({ name }) => getTopLevelName(name)));
  const known = [...IDS, ...TIMES, ...COMPONENT, ...LAST].filter((name) => names.has(name));
  // When users select columns individually, they rarely start with the organization ID.
  return known.length >= MIN_READINGS_COLUMNS && columns[0]?.name === known[0];
}

function getSortRank({ name }: TableColumn): number {
  const top = getTopLevelName(name);
  const groups = [TIMES, COMPONENT, ['data'], undefined, LAST, IDS];
  const group = groups.findIndex((group) => group?.includes(top));
  if (group < 0) return 100 * groups.indexOf(undefined);
  return 100 * group + (groups[group]?.indexOf(top) ?? 0);
}

function getTopLevelName(name: string): string {
  return name.split('.')[0] ?? '';
}

/** Returns the column names in the order that the user chose. */
export function getSavedColumnOrder(viewStates: ViewStateStore): readonly string[] {
  const names = viewStates.get(KEPT_AS);
  return isSavedOrder(names) ? names : [];
}

export function saveColumnOrder(viewStates: ViewStateStore, names: readonly string[]): void {
  viewStates.set(KEPT_AS, names);
}
