import { fixedColumns } from '../../../src/shared/data/readings';
import type {
  ReadingOrder,
  ReadingProgress,
  ReadingRow,
  ReadingView,
} from '../../../src/shared/data/readings';
import type { RowSort } from '../../../src/shared/tables';
import type { DataContext } from '../dataContext';
import type { Shown, TabView } from '../tabView';
import { HostError } from '../../messaging/hostConnection';
import { element } from '../../ui/elements';
import { CellViewer, type ViewedText } from '../../ui/table/cellViewer';
import { ColumnChooser } from '../../ui/table/columnChooser';
import { DataGrid } from '../../ui/table/dataGrid';
import { GridColumns, type PlacedColumn } from '../../ui/table/gridColumns';
import { type SortDirection, type TableRow, tableRow } from '../../ui/table/tableRow';
import { ChartView } from './chartView';
import { LatestView } from './latestView';
import { keepReadingsLook, readingsLook } from './readingsLook';
import { ReadingsState } from './readingsState';
import { MOST_READ, ReadingsStatus } from './readingsStatus';
import { type ReadingsMode, ReadingsTools } from './readingsTools';
import { type TimeText, timeTextFor } from './readingTimes';

/** Rows beyond those that are read, which are read when they are scrolled to. */
const AHEAD = 500;
/** Rows of the first question: what a screen shows, and a bit. */
const FIRST_ROWS = 50;

const NOTHING: ReadingProgress = { read: 0, count: 0, full: false, further: false };

/** The tab of readings: a table, a chart and the latest values of what the filter selects. */
export class ReadingsTab implements TabView {
  readonly element = element('div', { class: 'readings-tab' });
  private readonly columns: GridColumns;
  private readonly grid: DataGrid;
  private readonly tools: ReadingsTools;
  private readonly status: ReadingsStatus;
  private readonly state: ReadingsState;
  private readonly viewer: CellViewer;
  private readonly chooser: ColumnChooser;
  private readonly latest: LatestView;
  private readonly chart: ChartView;
  private readonly tableArea = element('div', { class: 'readings-area' });
  private mode: ReadingsMode = 'table';
  private generation = 0;
  private order: ReadingOrder;
  private sort: RowSort | undefined;
  private utc: boolean;
  private timeText: TimeText;
  private progress = NOTHING;
  private reading: AbortController | undefined;
  private life = new AbortController();
  private isStarted = false;

  constructor(private readonly context: DataContext) {
    const { locale, strings } = context;
    const { readings: words } = strings;
    const { order = 'newestFirst', utc = false, hidden = [] } = readingsLook(context.kept);
    this.order = order;
    this.utc = utc;
    this.timeText = timeTextFor(locale, utc);
    this.columns = new GridColumns({
      fixed: fixedColumns.map((id) => ({ id, name: words.table.columnNames[id] })),
      widths: { time: 190, tags: 110 },
      hidden,
    });
    this.state = new ReadingsState(words.states, () => this.retry());
    this.grid = this.makeGrid();
    this.tools = this.makeTools();
    const numberText = (value: number): string => value.toLocaleString(locale);
    this.status = new ReadingsStatus(words.status, {
      ...{ readMore: () => void this.readMore(), stop: () => this.reading?.abort(), numberText },
    });
    this.viewer = new CellViewer({
      ...{ id: 'viewer', strings: words.viewer },
      read: (viewed) => context.host.request('readingText', this.placeOf(viewed)),
      copy: (viewed) => context.host.send('copyReadingCell', this.placeOf(viewed)),
      closed: () => this.grid.focus(),
      failed: (error) => this.failed(error),
      numberText,
    });
    this.chooser = new ColumnChooser({
      ...{ strings: words.columns, label: words.columns.label, offersAll: true },
      isChosen: (column) => !this.columns.isHidden(column),
      choose: (columns, chosen) => {
        this.columns.setHidden(columns, !chosen);
        keepReadingsLook(context.kept, { hidden: this.columns.hiddenNames });
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
    context.readingNews.listen((told) => this.heard(told));
    this.chart.setUtc(utc);
    this.setMode('table');
  }

  show({ generation }: Shown): void {
    if (generation === this.generation && this.isStarted) return;
    this.generation = generation;
    this.restart();
  }

  leave(): Promise<boolean> {
    this.stop();
    return Promise.resolve(true);
  }

  focus(): void {
    this.grid.focus();
  }

  /** More of a listing was read. */
  private heard(
    told: ReadingProgress & { readonly generation: number; readonly order: ReadingOrder },
  ): void {
    if (told.generation === this.generation && told.order === this.order) this.take(told);
  }

  private get view(): ReadingView {
    const { generation, order, sort } = this;
    return { generation, order, ...(sort && { sort }) };
  }

  /** Reads anew, as another filter is at work or the order is another one. */
  private restart(): void {
    this.stop();
    this.life = new AbortController();
    this.isStarted = true;
    this.sort = undefined;
    this.progress = NOTHING;
    this.columns.clear();
    this.grid.reset();
    this.viewer.hide();
    this.status.element.hidden = true;
    this.state.showLoading();
    this.chart.reset();
    void this.begin();
  }

  private async begin(): Promise<void> {
    const { signal } = this.life;
    try {
      const rows = await this.fetch(0, FIRST_ROWS);
      if (signal.aborted) return;
      this.grid.begin(rows);
      if (this.progress.count === 0) this.state.showEmpty();
      else this.setMode(this.mode);
    } catch (error) {
      if (!signal.aborted) this.failed(error);
    }
  }

  private stop(): void {
    this.life.abort();
    this.reading?.abort();
    this.latest.stop();
    this.chart.stop();
    this.isStarted = false;
  }

  private async fetch(start: number, end: number): Promise<readonly TableRow[]> {
    const { host } = this.context;
    const { signal } = this.life;
    const known = this.columns.count;
    const answer = await host.request(
      'readingRows',
      { ...this.view, start, end, columns: known },
      signal,
    );
    if (signal.aborted) return [];
    if (answer.columns.length > 0 && this.columns.count === known) {
      this.columns.add(answer.columns);
      this.grid.columnsChanged();
    }
    this.take(answer);
    return answer.rows.map(rowWithTime);
  }

  private take(progress: ReadingProgress): void {
    const { read, count, full, further } = progress;
    this.progress = { read, count, full, further };
    const more = this.sort || full ? 0 : AHEAD;
    this.grid.setCount(Math.min(read + more, count), count);
    this.showStatus();
  }

  private showStatus(): void {
    const { progress, sort, reading } = this;
    const selected = this.mode === 'table' ? this.grid.selected : undefined;
    this.status.show({
      ...{ progress, sorted: sort !== undefined, reading: reading !== undefined },
      selected: selected ? selected.end - selected.start : 0,
    });
  }

  private async readMore(): Promise<void> {
    const { host } = this.context;
    const { generation, order } = this;
    const reading = new AbortController();
    this.reading = reading;
    this.showStatus();
    try {
      const upTo = MOST_READ;
      const done = await host.request(
        'readMoreReadings',
        { generation, order, upTo },
        reading.signal,
      );
      if (generation === this.generation && order === this.order) this.take(done);
    } catch (error) {
      if (!reading.signal.aborted) this.failed(error);
    } finally {
      this.reading = undefined;
      if (this.sort) this.resort();
      this.showStatus();
    }
  }

  private sortBy({ id }: PlacedColumn): void {
    if (id === 'time') {
      this.setOrder(this.sort || this.order === 'oldestFirst' ? 'newestFirst' : 'oldestFirst');
      return;
    }
    const { sort } = this;
    if (sort?.column !== id) this.sort = { column: id, descending: false };
    else if (!sort.descending) this.sort = { column: id, descending: true };
    else this.sort = undefined;
    this.resort();
  }

  /** The same rows are at other places. */
  private resort(): void {
    const { place, column } = this.grid.cursor;
    this.grid.reset();
    this.grid.cursor.go(place, column, false);
    this.viewer.hide();
    this.take(this.progress);
    this.grid.columnsChanged();
    const { status } = this.context.strings.readings;
    if (this.sort) this.context.announce(this.status.element.textContent || status.sorted);
  }

  private setOrder(order: ReadingOrder): void {
    const { place, column } = this.grid.cursor;
    if (order === this.order && !this.sort) return;
    this.order = order;
    keepReadingsLook(this.context.kept, { order });
    this.restart();
    this.grid.cursor.go(place, column, false);
  }

  private setUtc(utc: boolean): void {
    this.utc = utc;
    keepReadingsLook(this.context.kept, { utc });
    this.timeText = timeTextFor(this.context.locale, utc);
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
    if (this.progress.count === 0) return;
    this.showStatus();
    this.state.clear();
    const { generation, order } = this;
    if (mode === 'latest') void this.latest.show({ generation, order });
    if (mode === 'chart') void this.chart.show({ generation, order });
  }

  private retry(): void {
    if (this.progress.count === 0) this.restart();
    else {
      this.state.clear();
      this.setMode(this.mode);
      this.grid.retry();
      this.grid.columnsChanged();
    }
  }

  private failed(error: unknown): void {
    // The question was about what another filter selected; the panel asks anew.
    if (error instanceof HostError && (error.kind === 'conflict' || error.kind === 'cancelled'))
      return;
    this.state.showFailure(error);
  }

  private copy(): void {
    if (this.grid.selected) this.copyRows('tsv');
    else this.copyCell();
  }

  private copyCell(): void {
    const { cursor, cursorColumn } = this.grid;
    if (!cursorColumn || this.grid.isAtHeader) return;
    const viewed = { place: cursor.place, column: cursorColumn.id };
    this.context.host.send('copyReadingCell', this.placeOf(viewed));
  }

  private copyRows(format: 'tsv' | 'json'): void {
    const { cursor, selected } = this.grid;
    const rows = selected ?? { start: cursor.place, end: cursor.place + 1 };
    const columns = this.columns.shown.map(({ id }) => id);
    const [start, end] = [Math.max(0, rows.start), Math.min(rows.end, this.progress.read)];
    this.context.host.send('copyReadings', { ...this.view, start, end, columns, format });
  }

  private placeOf({ place, column }: ViewedText) {
    return { ...this.view, place, ...(column !== undefined && { column }) };
  }

  private makeGrid(): DataGrid {
    const { strings } = this.context;
    return new DataGrid({
      ...{ id: 'reading', strings: strings.readings.table, columns: this.columns },
      timeText: (at) => this.timeText(Number(at)),
      directionOf: (column) => this.directionOf(column),
      actions: {
        fetchRows: (start, end) => this.fetch(start, end),
        failed: (error) => this.failed(error),
        sortBy: (column) => this.sortBy(column),
        openCell: (place, { id, name }) => void this.viewer.show({ place, column: id, name }),
        copy: () => this.copy(),
        selectionChanged: () => this.showStatus(),
        leave: () => false,
      },
    });
  }

  private directionOf(column: string): SortDirection | undefined {
    const { sort, order } = this;
    const isSorted = column === (sort?.column ?? 'time');
    const descending = sort ? sort.descending : order === 'newestFirst';
    if (!isSorted) return undefined;
    return descending ? 'descending' : 'ascending';
  }

  private makeTools(): ReadingsTools {
    const { host, strings } = this.context;
    const actions = {
      setMode: (mode: ReadingsMode) => this.setMode(mode),
      chooseColumns: () => this.chooser.open(this.columns.all),
      exportAll: () => host.send('exportReadings', { generation: this.generation }),
      setOrder: (order: ReadingOrder) => this.setOrder(order),
      setUtc: (utc: boolean) => this.setUtc(utc),
      copyCell: () => this.copyCell(),
      copyRows: (format: 'tsv' | 'json') => this.copyRows(format),
    };
    return new ReadingsTools(strings.readings, actions, () => ({
      ...{ mode: this.mode, order: this.order, utc: this.utc },
      isEmpty: this.progress.read === 0,
    }));
  }
}

/** The time, which all readings have, is a cell as others are. */
function rowWithTime({ at, cells }: ReadingRow): TableRow {
  return tableRow([{ column: 'time', kind: 'time', text: String(at) }, ...cells]);
}
