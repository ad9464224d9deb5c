import * as l10n from '@vscode/l10n';
import { getKindNames, type AmountFormatter } from './resultFormat';
import type { RowSort } from '../../src/shared/tables';
import { element } from '../ui/elements';
import type { CellTarget } from '../ui/table/cellViewer';
import { ColumnChooser } from '../ui/table/columnChooser';
import { DataGrid } from '../ui/table/dataGrid';
import { GridColumns, type PositionedColumn } from '../ui/table/gridColumns';
import {
  type SortDirection,
  type TableColumn,
  type TableRow,
  tableRow,
} from '../ui/table/tableRow';
import type { Arrangement } from './arrangement';
import type { ResultsContext } from './resultsContext';
import { canUnfold, UnfoldedCells } from './unfoldedCells';
import { isListOf, isString } from '../../src/shared/guards';
import type { ViewStateStore } from '../ui/createViewStateStore';

export interface ResultTableOptions {
  /** Prefix for the IDs of the table's elements; unique on the page. */
  readonly id: string;
  readonly context: ResultsContext;
  readonly arrangement: Arrangement;
  readonly amounts: AmountFormatter;
  readonly selectionChanged: () => void;
  /** Called when more columns become known. */
  readonly columnsKnown: () => void;
  /** Prompts the user to filter rows by a column, given its name. */
  readonly filterBy: (name: string) => void;
  readonly isFiltered: (name: string) => boolean;
  /** Shows a cell in full. */
  readonly view: (viewed: CellTarget) => void;
  readonly copy: (viewed: CellTarget) => void;
  readonly failed: (error: unknown) => void;
}

/** The rows in a result as a table. */
export class ResultTable {
  readonly element = element('div', { class: 'result-table' });
  private readonly columns: GridColumns;
  private readonly grid: DataGrid;
  private readonly chooser: ColumnChooser;
  private readonly unfolded: UnfoldedCells;
  private life = new AbortController();
  /** Kind of values by column ID. */
  private readonly kinds = new Map<string, string>();
  private isFitted = false;
  private isLearning = false;

  constructor(private readonly options: ResultTableOptions) {
    this.columns = new GridColumns({
      widthsFor: getReadingsWidths,
      arrange: orderReadings,
      chosenOrder: getSavedColumnOrder(options.context.viewStates),
    });
    this.grid = this.makeGrid();
    const { id, context, arrangement, amounts, view, copy, failed } = options;
    this.unfolded = new UnfoldedCells({
      id: `${id}-unfolded`,
      context,
      arrangement,
      amounts,
      grid: this.grid,
      failed,
      view: (rowIndex, column) => view({ rowIndex, column: column.id, name: column.name }),
      copy: (rowIndex, column) => copy({ rowIndex, column: column.id }),
    });
    this.chooser = new ColumnChooser({
      label: l10n.t('Columns'),
      offersAll: true,
      isChosen: (column) => !this.columns.isHidden(column),
      choose: (columns, chosen) => {
        this.columns.setHidden(columns, !chosen);
        this.grid.columnsChanged();
      },
      closed: () => this.grid.focus(),
    });
    this.element.append(this.chooser.element, this.grid.element);
  }

  /** Number of selected rows. */
  get selectedCount(): number {
    const selected = this.grid.selected;
    return selected ? selected.end - selected.start : 0;
  }

  /** Index of the row at the cursor. */
  get rowIndex(): number {
    return Math.max(0, this.grid.cursor.rowIndex);
  }

  /** Name of the column at the cursor. */
  get cursorColumn(): string | undefined {
    return this.grid.cursorColumn?.name;
  }

  /** All known columns, including the hidden ones. */
  get allColumns(): readonly TableColumn[] {
    return this.columns.all;
  }

  /**
   * Returns the kind of a column's first value in the loaded rows; undefined if no value is loaded.
   */
  getKind(name: string): string | undefined {
    const column = this.columns.all.find((one) => one.name === name);
    return column && this.kinds.get(column.id);
  }

  /** Starts showing another result. */
  begin(): void {
    this.life.abort();
    this.life = new AbortController();
    this.isFitted = false;
    this.isLearning = false;
    this.columns.clear();
    this.kinds.clear();
    this.chooser.hide();
    this.rearranged();
  }

  /** Resets the table because all rows changed. */
  rearranged(): void {
    const { rowIndex, column } = this.grid.cursor;
    this.unfolded.clear();
    this.grid.reset();
    this.grid.cursor.go(Math.min(rowIndex, 0), column, false);
    this.grow();
    this.grid.columnsChanged();
  }

  /**
   * Updates the table when more rows have arrived.
   * @param columns current number of columns
   */
  grow(columns = this.columns.count): void {
    const { arrangement } = this.options;
    this.columns.expect(columns);
    this.grid.setCount(arrangement.count, arrangement.count);
    if (columns > this.columns.count && this.isFitted) void this.learnColumns();
  }

  /** Redraws the headers with the current sort. */
  drawHeaders(): void {
    this.grid.columnsChanged();
  }

  retry(): void {
    this.grid.retry();
    this.grid.columnsChanged();
  }

  focus(): void {
    this.grid.focus();
  }

  stop(): void {
    this.unfolded.clear();
    this.life.abort();
  }

  chooseColumns(): void {
    this.chooser.open(this.columns.all);
  }

  /** Number of columns in the rows, if known. */
  get columnCount(): number {
    return this.columns.total;
  }

  getColumnName(id: string): string {
    return this.columns.getName(id) ?? id;
  }

  copyCell(): void {
    const { cursor, cursorColumn } = this.grid;
    if (!cursorColumn || this.grid.isAtHeader) return;
    this.options.copy({ rowIndex: cursor.rowIndex, column: cursorColumn.id });
  }

  copyRows(format: 'tsv' | 'json' | 'markdown'): void {
    const { context, arrangement } = this.options;
    const { rowIndex } = this;
    const rows = this.grid.selected ?? { start: rowIndex, end: rowIndex + 1 };
    const [start, end] = [Math.max(0, rows.start), Math.min(rows.end, arrangement.count)];
    const columns = this.columns.shown.map(({ id }) => id);
    context.host.send('copyResult', { ...arrangement.view, start, end, columns, format });
  }

  /** Loads a range of rows (end exclusive) and adds the columns that the response reports. */
  async fetch(start: number, end: number): Promise<readonly TableRow[]> {
    const rows = await this.requestRows(start, end);
    if (!this.isFitted && rows.length > 0) {
      this.isFitted = true;
      this.columns.fit(rows, (cell) => this.grid.measure(cell));
      this.grid.columnsChanged();
    }
    return rows;
  }

  private async requestRows(start: number, end: number): Promise<readonly TableRow[]> {
    const { context, arrangement } = this.options;
    const { signal } = this.life;
    const known = this.columns.count;
    const answer = await context.host.request(
      'resultRows',
      { ...arrangement.view, start, end, columns: known },
      signal,
    );
    if (answer.columns.length > 0 && this.columns.count === known && !signal.aborted) {
      this.columns.add(answer.columns);
      this.grid.columnsChanged();
      this.options.columnsKnown();
    }
    if (!signal.aborted && this.columns.setTypes(answer.types)) this.grid.columnsChanged();
    for (const { column, kind } of answer.rows.flatMap(({ cells }) => cells)) {
      if (kind !== 'null' && !this.kinds.has(column) && !signal.aborted) {
        this.kinds.set(column, kind);
      }
    }
    return answer.rows.map(({ cells }) => tableRow(cells));
  }

  /** Loads the columns that occur only in rows that aren't loaded yet. */
  private async learnColumns(): Promise<void> {
    if (this.isLearning) return;
    const { signal } = this.life;
    this.isLearning = true;
    try {
      await this.requestRows(0, 0);
    } catch (error) {
      if (!signal.aborted) this.options.failed(error);
    } finally {
      if (!signal.aborted) this.isLearning = false;
    }
  }

  private sortBy({ id }: PositionedColumn): void {
    const { arrangement } = this.options;
    arrangement.setSort(nextSort(id, arrangement.sort));
    this.grid.columnsChanged();
  }

  private getSortDirection(id: string): SortDirection | undefined {
    const { sort } = this.options.arrangement;
    if (sort?.column !== id) return undefined;
    return sort.descending ? 'descending' : 'ascending';
  }

  private makeGrid(): DataGrid {
    const { id, context, selectionChanged, view, failed, filterBy, isFiltered } = this.options;
    const kinds: Readonly<Record<string, string>> = getKindNames();
    return new DataGrid({
      id,
      label: l10n.t('Result rows'),
      keys: l10n.t(
        'Arrow keys move between cells, Shift+arrow keys select rows, Enter shows the whole cell, Shift+Enter expands a list below its row, Alt+Down filters by the column, and Ctrl+C copies. On a header, Enter sorts, Shift+Left and Shift+Right change the width, and Alt+Left and Alt+Right move the column.',
      ),
      columns: this.columns,
      kindName: (kind) => kinds[kind],
      canUnfold,
      getDirection: (column) => this.getSortDirection(column),
      isFiltered: (column) => isFiltered(this.getColumnName(column)),
      actions: {
        fetchRows: (start, end) => this.fetch(start, end),
        failed: (error) => {
          if (!this.life.signal.aborted) failed(error);
        },
        sortBy: (column) => this.sortBy(column),
        columnsMoved: (names) => saveColumnOrder(context.viewStates, names),
        openCell: (rowIndex, { id: column, name }) => view({ rowIndex, column, name }),
        unfold: (rowIndex, column) => this.unfolded.toggle(rowIndex, column),
        filterBy: ({ name }) => filterBy(name),
        copy: () => (this.grid.selected ? this.copyRows('tsv') : this.copyCell()),
        selectionChanged,
        leave: () => false,
      },
    });
  }
}

/**
 * Returns a column's next sort order. The order cycles through ascending, descending, and original
 * order.
 */
function nextSort(column: string, now: RowSort | undefined): RowSort | undefined {
  if (now?.column !== column) return { column, descending: false };
  return now.descending ? undefined : { column, descending: true };
}

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
const STATE_KEY = 'resultColumns';

const isSavedOrder = isListOf(isString);

/**
 * Sorts the columns of complete readings, as SELECT * returns them, into a readable order: times,
 * component, and data first, and IDs last. Individually selected columns keep their order.
 */
function orderReadings(columns: readonly TableColumn[]): readonly TableColumn[] {
  return hasWholeReadings(columns)
    ? columns.toSorted((a, b) => getSortRank(a) - getSortRank(b))
    : columns;
}

/**
 * Returns the initial column widths by name. In complete readings, ID columns show only the start
 * of the IDs; an individually selected ID column fits its contents.
 */
function getReadingsWidths(columns: readonly TableColumn[]): Readonly<Record<string, number>> {
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
function getSavedColumnOrder(viewStates: ViewStateStore): readonly string[] {
  const names = viewStates.get(STATE_KEY);
  return isSavedOrder(names) ? names : [];
}

function saveColumnOrder(viewStates: ViewStateStore, names: readonly string[]): void {
  viewStates.set(STATE_KEY, names);
}
