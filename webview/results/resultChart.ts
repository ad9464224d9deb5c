import * as l10n from '@vscode/l10n';
import {
  type ChartKind,
  chartKinds,
  type ProfiledColumn,
  type ResultChart,
} from '../../src/shared/query/results';
import { element, toolButton } from '../ui/elements';
import { exactTime, type FormatTime } from '../ui/format';
import { ColumnChooser } from '../ui/table/columnChooser';
import type { AmountFormatter } from './resultFormat';
import type { Arrangement } from './arrangement';
import {
  acrossColumns,
  type ChartChoice,
  describeChart,
  type DrawnColumns,
  drawnColumns,
  likelySeries,
  MAX_COLUMNS,
  namingColumns,
  type NotedChart,
  numberColumns,
  readChoice,
} from './chartChoice';
import { ChartPlot } from './chartPlot';
import type { ResultsContext } from './resultsContext';

export interface ResultChartOptions {
  /** Prefix for the IDs of the chart's elements; unique on the page. */
  readonly id: string;
  readonly context: ResultsContext;
  readonly arrangement: Arrangement;
  readonly amounts: AmountFormatter;
  readonly failed: (error: unknown) => void;
}

/** Key under which the page saves the chart's settings. */
const STATE_KEY = 'resultChart';

/**
 * Chart of the numbers in a result as lines, bars, or points. The same information is available as
 * text, including for screen readers.
 */
export class ResultChartView {
  readonly element = element('div', { class: 'chart-view result-chart' });
  private readonly note = element('p', { class: 'faint chart-note', role: 'status' });
  private readonly plot: ChartPlot;
  private readonly pickers: ChartPickers;
  private readonly chooser: ColumnChooser;
  private readonly again: HTMLButtonElement;
  private readonly whole: HTMLButtonElement;
  private readonly save: HTMLButtonElement;
  private readonly time: FormatTime;
  private choice: ChartChoice;
  /** The column that splits lines unless the user chose one. */
  private likely: string | undefined;
  private columns: readonly ProfiledColumn[] = [];
  private drawn: NotedChart | undefined;
  private abortController: AbortController | undefined;
  private isShown = false;
  /** True if no more rows will arrive. */
  private isOver = false;
  /** True if all rows from the query have arrived. */
  private isWhole = false;

  constructor(private readonly options: ResultChartOptions) {
    const { id, context } = options;
    this.time = exactTime(context.locale, true);
    this.choice = readChoice(context.viewStates.get(STATE_KEY));
    const onZoom = (isPart: boolean): void => void (this.whole.hidden = !isPart);
    this.plot = new ChartPlot({ id, context, onZoom });
    this.pickers = new ChartPickers((change) => this.choose(change));
    this.chooser = new ColumnChooser({
      label: l10n.t('Select Columns…'),
      offersAll: false,
      isChosen: ({ name }) => this.drawnNames.includes(name),
      choose: ([column], on) => column && this.chooseNumber(column.name, on),
      closed: () => this.plot.focus(),
    });
    const tool = (label: string, focusKey: string, onPress: () => void): HTMLButtonElement =>
      toolButton(label, onPress, { focusKey, class: 'bordered' });
    const chooseY = tool(l10n.t('Select Columns…'), 'chart y', () => this.openChooser());
    this.again = tool(l10n.t('Redraw'), 'chart again', () => void this.show());
    this.whole = tool(l10n.t('Show Everything'), 'chart whole', () => {
      // The button disappears once the whole range is visible, so move focus.
      this.plot.focus();
      this.plot.showAll();
    });
    this.save = tool(l10n.t('Save Image…'), 'save chart', () => void this.saveImage());
    const tools = element('div', { class: 'chart-tools' });
    tools.append(...this.pickers.elements, chooseY, this.whole, this.again, this.save);
    this.element.append(tools, this.chooser.element, this.note, ...this.plot.elements);
    this.clear('');
  }

  /** Draws the result if it isn't drawn yet. */
  begin(): void {
    if (!this.isShown) void this.show();
  }

  /** Updates the chart when more rows have arrived or the result is complete. */
  grow({ isOver, isWhole }: { readonly isOver: boolean; readonly isWhole: boolean }): void {
    this.isOver = isOver;
    this.isWhole = isWhole;
    if (this.isShown && !this.abortController) this.refreshIfStale();
  }

  /** Resets the chart because different rows are shown. */
  rearranged(): void {
    this.stop();
    this.chooser.hide();
    this.likely = undefined;
    this.clear('');
  }

  stop(): void {
    this.abortController?.abort();
    this.abortController = undefined;
    this.isShown = false;
  }

  dispose(): void {
    this.stop();
    this.plot.dispose();
  }

  focus(): void {
    this.plot.focus();
  }

  private get shownColumns(): DrawnColumns {
    return drawnColumns(this.columns, this.choice, this.likely);
  }

  private get drawnNames(): readonly string[] {
    return this.shownColumns.y.map(({ name }) => name);
  }

  /** Draws the rows that have arrived so far. */
  private async show(): Promise<void> {
    const { context, arrangement, failed } = this.options;
    const { result } = arrangement.view;
    const signal = this.startRequest();
    this.isShown = true;
    this.note.textContent = l10n.t('Drawing…');
    try {
      const { columns } = await context.host.request('profileResult', { result }, signal);
      this.columns = columns;
      this.showPickers();
      await this.read();
    } catch (error) {
      if (!signal.aborted) failed(error);
    }
  }

  private startRequest(): AbortSignal {
    this.abortController?.abort();
    this.abortController = new AbortController();
    return this.abortController.signal;
  }

  private openChooser(): void {
    this.chooser.open(numberColumns(this.columns));
  }

  private chooseNumber(name: string, on: boolean): void {
    const rest = this.drawnNames.filter((one) => one !== name);
    this.choose({ y: on ? [...rest, name] : rest });
  }

  private choose(change: Partial<ChartChoice>): void {
    this.choice = { ...this.choice, ...change };
    this.options.context.viewStates.set(STATE_KEY, this.choice);
    if ('x' in change) this.likely = undefined;
    this.showPickers();
    void this.read();
  }

  private showPickers(): void {
    this.pickers.show(this.columns, this.choice, this.shownColumns);
  }

  private async read(): Promise<void> {
    const { context, arrangement, failed } = this.options;
    const { x, y, series } = this.shownColumns;
    const signal = this.startRequest();
    if (y.length === 0) {
      const hasNumbers = numberColumns(this.columns).length > 0;
      this.abortController = undefined;
      this.clear(
        hasNumbers
          ? l10n.t('Select the numbers to chart.')
          : l10n.t('The loaded rows contain no numbers.'),
      );
      return;
    }
    this.note.textContent = l10n.t('Drawing…');
    const { kind } = this.choice;
    const { among } = arrangement;
    const isWhole = this.isWhole;
    try {
      const request = {
        ...arrangement.view,
        kind,
        y: y.map(({ id }) => id),
        ...(x && { x: x.id }),
        ...(series && { series: series.id }),
      };
      const chart = await context.host.request('chartResult', request, signal);
      const likely = likelySeries(this.columns, this.choice, { x, series, chart });
      if (likely !== undefined) {
        this.likely = likely;
        this.showPickers();
        await this.read();
        return;
      }
      this.abortController = undefined;
      const drawn = x === undefined ? countedFromOne(chart) : chart;
      this.draw({ chart: drawn, kind, among: Math.max(among, chart.rows), isWhole });
    } catch (error) {
      if (!signal.aborted) failed(error);
    }
  }

  private draw(drawn: NotedChart): void {
    this.drawn = drawn;
    this.plot.show(drawn);
    this.note.textContent = this.describeDrawnChart(drawn);
    this.save.hidden = drawn.chart.series.length === 0;
    this.refreshIfStale();
  }

  /**
   * Updates the chart if more rows have arrived since the last drawing. Redraws it if no further
   * rows will arrive; otherwise, offers to redraw it.
   */
  private refreshIfStale(): void {
    if (!this.drawn) return;
    const { chart, isWhole } = this.drawn;
    const isStale = this.options.arrangement.count > chart.rows || (this.isWhole && !isWhole);
    this.again.hidden = !isStale || this.isOver;
    if (isStale && this.isOver) void this.show();
  }

  private clear(note: string): void {
    this.drawn = undefined;
    this.plot.clear();
    this.note.textContent = note;
    for (const tool of [this.whole, this.again, this.save]) tool.hidden = true;
  }

  private describeDrawnChart(drawn: NotedChart): string {
    const { amounts } = this.options;
    const { isTooMany } = this.shownColumns;
    const most = l10n.t('A chart can show up to {0} columns.', amounts.number(MAX_COLUMNS));
    const number = (value: number): string => amounts.number(value);
    const own = describeChart(drawn, this.plot.xValues, { number, time: this.time });
    return isTooMany ? `${own} · ${most}` : own;
  }

  private async saveImage(): Promise<void> {
    const { context, failed } = this.options;
    try {
      const png = await this.plot.exportImage(this.note.textContent);
      if (png) context.host.send('saveChart', { png });
    } catch (error) {
      failed(error);
    }
  }
}

/** Returns a chart whose x values are row numbers, counted from 1. */
function countedFromOne(chart: ResultChart): ResultChart {
  const series = chart.series.map((one) => ({
    ...one,
    x: new Float64Array(one.x).map((value) => value + 1).buffer,
  }));
  return { ...chart, series };
}

interface Option {
  readonly value: string;
  readonly label: string;
}

interface Picker {
  readonly element: HTMLElement;
  offer(options: readonly Option[], chosen: string): void;
}

/** Maximum number of columns in a list; users don't scroll further down. */
const MAX_LISTED_COLUMNS = 500;

/** Controls to choose how a result is drawn. */
class ChartPickers {
  readonly elements: readonly HTMLElement[];
  private readonly kind: Picker;
  private readonly x: Picker;
  private readonly series: Picker;

  constructor(private readonly chosen: (change: Partial<ChartChoice>) => void) {
    this.kind = picker(l10n.t('Chart type'), 'chart kind', (value) => {
      const kind = chartKinds.find((one) => one === value);
      // A good x axis for lines is rarely a good x axis for bars.
      if (kind) this.chosen({ kind, x: undefined });
    });
    this.x = picker(l10n.t('X-axis'), 'chart x', (x) => this.chosen({ x }));
    this.series = picker(l10n.t('Split into series by'), 'chart series', (series) =>
      this.chosen({ series }),
    );
    this.elements = [this.kind.element, this.x.element, this.series.element];
  }

  show(
    columns: readonly ProfiledColumn[],
    { kind: chosen }: Pick<ChartChoice, 'kind'>,
    { x, series }: Pick<DrawnColumns, 'x' | 'series'>,
  ): void {
    const names = getChartKindNames();
    this.kind.offer(
      chartKinds.map((kind) => ({ value: kind, label: names[kind] })),
      chosen,
    );
    const across = acrossColumns(columns, chosen);
    this.x.offer([{ value: '', label: l10n.t('Row number') }, ...named(across)], x?.name ?? '');
    const naming = namingColumns(columns);
    this.series.offer(
      [{ value: '', label: l10n.t("Don't Split") }, ...named(naming)],
      series?.name ?? '',
    );
  }
}

function named(columns: readonly ProfiledColumn[]): readonly Option[] {
  return columns.slice(0, MAX_LISTED_COLUMNS).map(({ name }) => ({ value: name, label: name }));
}

function picker(label: string, focusKey: string, choose: (value: string) => void): Picker {
  const select = element('select', { class: 'chart-select', 'data-focus': focusKey });
  select.addEventListener('change', () => choose(select.value));
  return {
    element: element('label', { class: 'chart-picker' }, element('span', {}, label), select),
    offer: (options, chosen) => {
      select.replaceChildren(
        ...options.map((option) => element('option', { value: option.value }, option.label)),
      );
      select.value = chosen;
    },
  };
}

/** Returns the names of the chart types. */
function getChartKindNames(): Readonly<Record<ChartKind, string>> {
  return { line: l10n.t('Lines'), bar: l10n.t('Bars'), scatter: l10n.t('Points') };
}
