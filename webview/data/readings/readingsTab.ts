import * as l10n from '@vscode/l10n';
import {
  fixedColumns,
  type ReadingOrder,
  type ReadingRow,
} from '../../../src/shared/data/readings';
import type { DataContext } from '../dataContext';
import type { Shown, TabView } from '../tabBar';
import { createRecoveryHandlers, HostError } from '../../messaging/hostConnection';
import { element } from '../../ui/elements';
import { exactTime, type FormatTime } from '../../ui/format';
import { CellViewer } from '../../ui/table/cellViewer';
import { ColumnChooser } from '../../ui/table/columnChooser';
import { DataGrid } from '../../ui/table/dataGrid';
import { GridColumns, type PositionedColumn } from '../../ui/table/gridColumns';
import { type TableRow, tableRow } from '../../ui/table/tableRow';
import { ChartView } from './chartView';
import { LatestView } from './latestView';
import { ReadingListing, ReadingsStatus, TIME_COLUMN } from './readingListing';
import {
  getReadingsViewState,
  type ReadingsMode,
  ReadingsTools,
  saveReadingsViewState,
} from './readingsTools';
import { ReadingsState } from './readingsState';

/** Distance, in rows, from the end of the loaded rows at which scrolling loads more. */
const AHEAD = 500;
/** Number of rows in the first request, slightly more than fit on a screen. */
const FIRST_ROWS = 50;

/**
 * The readings tab: a table, a chart, and the latest values from the readings that match the
 * filter.
 */
export class ReadingsTab implements TabView {
  readonly element = element('div', { class: 'readings-tab' });
  private readonly listing: ReadingListing;
  private readonly columns: GridColumns;
  private readonly grid: DataGrid;
  private readonly copies: ReadingCopies;
  private readonly tools: ReadingsTools;
  private readonly status: ReadingsStatus;
  private readonly state: ReadingsState;
  private readonly viewer: CellViewer;
  private readonly chooser: ColumnChooser;
  private readonly latest: LatestView;
  private readonly chart: ChartView;
  private readonly tableArea = element('div', { class: 'readings-area' });
  private mode: ReadingsMode = 'table';
  private clearFilter: (() => void) | undefined;
  private utc: boolean;
  private timeText: FormatTime;

  constructor(private readonly context: DataContext) {
    const { locale } = context;
    const {
      order = 'newestFirst',
      utc = false,
      hidden = [],
    } = getReadingsViewState(context.viewStates);
    this.listing = new ReadingListing(context.host, order, () => this.progressed());
    this.utc = utc;
    this.timeText = exactTime(locale, utc);
    this.columns = new GridColumns({
      fixed: fixedColumns.map((id) => ({ id, name: getColumnNames()[id] })),
      widths: { time: 190, tags: 110 },
      hidden,
    });
    const actions = createRecoveryHandlers(context.host, () => this.retry());
    this.state = new ReadingsState(context, actions);
    this.grid = this.makeGrid();
    const { listing, grid, columns } = this;
    this.copies = new ReadingCopies({ host: context.host, listing, grid, columns });
    this.tools = this.makeTools();
    const numberText = (value: number): string => value.toLocaleString(locale);
    this.status = new ReadingsStatus({
      readMore: () => void this.readMore(),
      stop: () => this.listing.stopReading(),
      numberText,
    });
    this.viewer = new CellViewer({
      id: 'viewer',
      emptyContent: l10n.t('No value'),
      read: (viewed) => context.host.request('readingText', this.listing.toCellTarget(viewed)),
      copy: (viewed) => context.host.send('copyReadingCell', this.listing.toCellTarget(viewed)),
      closed: () => this.grid.focus(),
      failed: (error) => this.failed(error),
      numberText,
    });
    this.chooser = new ColumnChooser({
      label: l10n.t('Columns'),
      offersAll: true,
      isChosen: (column) => !this.columns.isHidden(column),
      choose: (columns, chosen) => {
        this.columns.setHidden(columns, !chosen);
        saveReadingsViewState(context.viewStates, { hidden: this.columns.hiddenNames });
        this.grid.columnsChanged();
      },
      closed: () => this.grid.focus(),
    });
    const failed = (error: unknown): void => this.failed(error);
    this.latest = new LatestView({ context, timeText: () => this.timeText, failed });
    this.chart = new ChartView({ context, timeText: () => this.timeText, failed });
    this.tableArea.append(this.chooser.element, this.grid.element, this.viewer.element);
    this.element.append(
      this.tools.element,
      this.tableArea,
      this.chart.element,
      this.latest.element,
      this.state.element,
      this.status.element,
    );
    context.onDidReadReadings((progress) => this.listing.receive(progress));
    this.chart.setUtc(utc);
    this.setMode('table');
  }

  show({ generation, clearFilter }: Shown): void {
    this.clearFilter = clearFilter;
    if (!this.listing.isCurrent(generation)) this.restart({ generation });
  }

  leave(): Promise<boolean> {
    this.stop();
    return Promise.resolve(true);
  }

  focus(): void {
    this.grid.focus();
  }

  /** Loads the readings again because the filter or the order changed. */
  private restart(change: Parameters<ReadingListing['begin']>[0] = {}): void {
    this.stop();
    this.listing.begin(change);
    this.columns.clear();
    this.grid.reset();
    this.viewer.hide();
    this.status.element.hidden = true;
    this.state.showLoading();
    this.chart.reset();
    void this.begin();
  }

  private async begin(): Promise<void> {
    const { signal } = this.listing;
    try {
      const rows = await this.fetch(0, FIRST_ROWS);
      if (signal.aborted) return;
      this.grid.begin(rows);
      if (this.listing.progress.count === 0) this.state.showEmpty(this.clearFilter);
      else this.setMode(this.mode);
    } catch (error) {
      if (!signal.aborted) this.failed(error);
    }
  }

  private stop(): void {
    this.listing.stop();
    this.latest.stop();
    this.chart.stop();
  }

  private async fetch(start: number, end: number): Promise<readonly TableRow[]> {
    const known = this.columns.count;
    const answer = await this.listing.rows(start, end, known);
    if (!answer) return [];
    if (answer.columns.length > 0 && this.columns.count === known) {
      this.columns.add(answer.columns);
      this.grid.columnsChanged();
    }
    this.listing.take(answer);
    return answer.rows.map(rowWithTime);
  }

  private progressed(): void {
    const { sort, progress } = this.listing;
    const more = progress.full ? 0 : AHEAD;
    const rows = sort?.among ?? Math.min(progress.read + more, progress.count);
    this.grid.setCount(rows, progress.count);
    this.showStatus();
  }

  private showStatus(): void {
    const { progress, sort, isReading } = this.listing;
    const selected = this.mode === 'table' ? this.grid.selected : undefined;
    this.status.show({
      progress,
      sort,
      reading: isReading,
      selected: selected ? selected.end - selected.start : 0,
    });
  }

  private async readMore(): Promise<void> {
    try {
      await this.listing.readMore();
    } catch (error) {
      this.failed(error);
    } finally {
      if (this.listing.sortAgain()) this.resort();
      this.showStatus();
    }
  }

  private sortBy({ id }: PositionedColumn): void {
    const { listing } = this;
    if (id === TIME_COLUMN) {
      this.setOrder(
        listing.sort || listing.order === 'oldestFirst' ? 'newestFirst' : 'oldestFirst',
      );
      return;
    }
    listing.sortBy(id);
    this.resort();
  }

  /** Redraws the table after its row order changes. */
  private resort(): void {
    const { rowIndex, column } = this.grid.cursor;
    this.grid.reset();
    this.grid.cursor.go(rowIndex, column, false);
    this.viewer.hide();
    this.progressed();
    this.grid.columnsChanged();
    if (this.listing.sort) {
      this.context.announce(
        this.status.element.textContent ||
          l10n.t('Sorted within the {0} of {1} readings loaded so far'),
      );
    }
  }

  private setOrder(order: ReadingOrder): void {
    const { rowIndex, column } = this.grid.cursor;
    if (order === this.listing.order && !this.listing.sort) return;
    saveReadingsViewState(this.context.viewStates, { order });
    this.restart({ order });
    this.grid.cursor.go(rowIndex, column, false);
  }

  private setUtc(utc: boolean): void {
    this.utc = utc;
    saveReadingsViewState(this.context.viewStates, { utc });
    this.timeText = exactTime(this.context.locale, utc);
    this.grid.columnsChanged();
    this.chart.setUtc(utc);
    if (this.mode === 'latest') this.setMode('latest');
  }

  private setMode(mode: ReadingsMode): void {
    this.mode = mode;
    this.tools.show(mode);
    this.tableArea.hidden = mode !== 'table';
    this.chart.element.hidden = mode !== 'chart';
    this.latest.element.hidden = mode !== 'latest';
    if (this.listing.progress.count === 0) return;
    // The other modes load more readings.
    if (mode === 'table' && this.listing.sortAgain()) this.resort();
    this.showStatus();
    this.state.clear();
    if (mode === 'latest') void this.latest.show(this.listing.source);
    if (mode === 'chart') void this.chart.show(this.listing.source);
  }

  private retry(): void {
    if (this.listing.progress.count === 0) {
      this.restart();
    } else {
      this.state.clear();
      this.setMode(this.mode);
      this.grid.retry();
      this.grid.columnsChanged();
    }
  }

  private failed(error: unknown): void {
    // The request was for another filter; the panel sends a new request.
    if (error instanceof HostError && (error.kind === 'conflict' || error.kind === 'canceled')) {
      return;
    }
    this.state.showFailure(error);
  }

  private makeGrid(): DataGrid {
    return new DataGrid({
      id: 'reading',
      label: l10n.t('Readings'),
      keys: l10n.t(
        'Arrow keys move between cells, Shift+arrow keys select rows, Enter shows the whole cell, and Ctrl+C copies. On a header, Enter sorts, and Shift+Left and Shift+Right change the width.',
      ),
      columns: this.columns,
      timeText: (at) => this.timeText(Number(at)),
      getDirection: (column) => this.listing.getSortDirection(column),
      actions: {
        fetchRows: (start, end) => this.fetch(start, end),
        failed: (error) => this.failed(error),
        sortBy: (column) => this.sortBy(column),
        openCell: (rowIndex, { id, name }) => void this.viewer.show({ rowIndex, column: id, name }),
        copy: () => this.copies.copy(),
        selectionChanged: () => this.showStatus(),
        leave: () => false,
      },
    });
  }

  private makeTools(): ReadingsTools {
    const { host } = this.context;
    const actions = {
      setMode: (mode: ReadingsMode) => this.setMode(mode),
      chooseColumns: () => this.chooser.open(this.columns.all),
      exportAll: () => host.send('exportReadings', { generation: this.listing.source.generation }),
      setOrder: (order: ReadingOrder) => this.setOrder(order),
      setUtc: (utc: boolean) => this.setUtc(utc),
      copyCell: () => this.copies.cell(),
      copyRows: (format: 'tsv' | 'json' | 'markdown') => this.copies.rows(format),
    };
    return new ReadingsTools(actions, () => ({
      mode: this.mode,
      order: this.listing.order,
      utc: this.utc,
      isEmpty: this.listing.progress.read === 0,
    }));
  }
}

/**
 * Converts a reading to a table row in which the time, which all readings have, is a normal cell.
 */
function rowWithTime({ at, cells }: ReadingRow): TableRow {
  return tableRow([{ column: TIME_COLUMN, kind: 'time', text: String(at) }, ...cells]);
}

/** Returns the names of the fixed columns. */
function getColumnNames(): Readonly<Record<(typeof fixedColumns)[number], string>> {
  return {
    time: l10n.t('Time'),
    machine: l10n.t('Machine'),
    part: l10n.t('Part'),
    component: l10n.t('Component'),
    method: l10n.t('Method'),
    tags: l10n.t('Tags'),
  };
}

interface CopyContext {
  readonly host: DataContext['host'];
  readonly listing: ReadingListing;
  readonly grid: DataGrid;
  readonly columns: GridColumns;
}

/** Copies the cell at the table's cursor or the selected rows. */
class ReadingCopies {
  constructor(private readonly context: CopyContext) {}

  /** Copies the selected rows or, if no rows are selected, the cell at the cursor. */
  copy(): void {
    if (this.context.grid.selected) this.rows('tsv');
    else this.cell();
  }

  cell(): void {
    const { host, grid, listing } = this.context;
    const { cursor, cursorColumn, isAtHeader } = grid;
    if (!cursorColumn || isAtHeader) return;
    const viewed = { rowIndex: cursor.rowIndex, column: cursorColumn.id };
    host.send('copyReadingCell', listing.toCellTarget(viewed));
  }

  rows(format: 'tsv' | 'json' | 'markdown'): void {
    const { host, grid, listing } = this.context;
    const { cursor, selected } = grid;
    const rows = selected ?? { start: cursor.rowIndex, end: cursor.rowIndex + 1 };
    const columns = this.context.columns.shown.map(({ id }) => id);
    const [start, end] = [Math.max(0, rows.start), Math.min(rows.end, listing.progress.read)];
    host.send('copyReadings', { ...listing.view, start, end, columns, format });
  }
}
