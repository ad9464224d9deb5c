import type {
  ChartRequest,
  ReadingChart,
  ReadingListingRef,
} from '../../../src/shared/data/readings';
import type { ValueColumn } from '../../../src/shared/tables';
import type { DataContext } from '../dataContext';
import { element, toolButton } from '../../ui/elements';
import { fillPlaceholders, type FormatTime, localeTag } from '../../ui/format';
import { type ChartByKeys, listenToChartKeys, stepIndex } from '../../ui/chart/chartKeys';
import { ChartDataTable, cursorValues, plotSize } from '../../ui/chart/chartDataTable';
import { Plot } from '../../ui/chart/plot';
import { ColumnChooser } from '../../ui/table/columnChooser';

const MAX_COLUMNS = 8;
const MIN_HEIGHT = 160;

export interface ChartOptions {
  readonly context: DataContext;
  readonly timeText: () => FormatTime;
  readonly failed: (error: unknown) => void;
}

type Span = Pick<ChartRequest, 'start' | 'end'>;

/**
 * Chart of the numbers in selected columns over time, with text equivalents, including for screen
 * readers.
 */
export class ChartView implements ChartByKeys {
  readonly element = element('div', { class: 'chart-view' });
  private readonly plotArea: HTMLElement;
  private readonly note = element('p', { class: 'faint chart-note', role: 'status' });
  private readonly cursorText = element('p', { class: 'chart-cursor' });
  private readonly chooser: ColumnChooser;
  private readonly table: ChartDataTable;
  private readonly whole: HTMLButtonElement;
  /** Names of the selected columns; the selection persists when the filter changes. */
  private readonly chosen = new Set<string>();
  private columns: readonly ValueColumn[] = [];
  private chart: ReadingChart | undefined;
  private plot: Plot | undefined;
  private ref: ReadingListingRef | undefined;
  private abortController: AbortController | undefined;
  private span: Span = {};
  private utc = false;

  constructor(private readonly options: ChartOptions) {
    const { context } = options;
    const { chart } = this.strings;
    this.table = new ChartDataTable(chart, localeTag(context.locale));
    this.plotArea = element('div', {
      class: 'plot-area',
      tabindex: '0',
      role: 'group',
      'aria-label': chart.label,
      'aria-describedby': 'chart-keys',
    });
    this.chooser = new ColumnChooser({
      label: chart.choose,
      offersAll: false,
      isChosen: ({ name }) => this.chosen.has(name),
      choose: (chosen, on) => this.choose(chosen, on),
      closed: () => this.plotArea.focus(),
    });
    const choose = toolButton(chart.choose, () => this.chooser.open(this.columns), {
      focusKey: 'chart columns',
    });
    const showWhole = (): void => {
      // The button disappears once the whole range is visible, so move the focus.
      this.plotArea.focus();
      this.showAll();
    };
    this.whole = toolButton(chart.wholeSpan, showWhole, { focusKey: 'whole span' });
    const tools = element('div', { class: 'viewer-head' }, choose, this.whole);
    const keys = element('div', { class: 'visually-hidden', id: 'chart-keys' }, chart.keys);
    this.element.append(tools, this.chooser.element, this.note, this.plotArea);
    this.element.append(this.cursorText, this.table.element, keys);
    listenToChartKeys(this.plotArea, this);
    new ResizeObserver(() => this.resize()).observe(this.plotArea);
    // When the theme changes, redraw the chart, because its image contains the colors of the theme.
    new MutationObserver(() => this.recolor()).observe(document.body, {
      attributes: true,
      attributeFilter: ['class', 'data-vscode-theme-id'],
    });
  }

  async show(ref: ReadingListingRef): Promise<void> {
    this.ref = ref;
    const { host } = this.options.context;
    const signal = this.startRequest();
    this.note.textContent = this.strings.states.loading;
    try {
      const { columns } = await host.request('numericReadingColumns', ref, signal);
      this.columns = columns;
      const { chart } = this.strings;
      if (this.request().columns.length > 0) {
        await this.read();
      } else {
        this.clear(columns.length === 0 ? chart.noNumbers : chart.chooseHint);
        if (columns.length > 0) this.chooser.open(columns);
      }
    } catch (error) {
      if (!signal.aborted) this.options.failed(error);
    }
  }

  stop(): void {
    this.abortController?.abort();
  }

  /** Resets the view because the filter changed. */
  reset(): void {
    this.stop();
    this.span = {};
    this.chooser.hide();
    this.clear('');
  }

  setUtc(utc: boolean): void {
    this.utc = utc;
    this.draw();
  }

  step(by: number): void {
    const { plot } = this;
    const index = plot && stepIndex(plot.xValues.length, plot.cursor, by);
    if (!plot || index === undefined) return;
    plot.moveTo(index);
    this.options.context.announce(this.cursorText.textContent);
  }

  zoom(factor: number): void {
    const { plot } = this;
    const [first, last] = [plot?.xValues[0], plot?.xValues[plot.xValues.length - 1]];
    if (!plot || first === undefined || last === undefined) return;
    const middle = plot.xValues[plot.cursor ?? Math.floor(plot.xValues.length / 2)] ?? first;
    const half = Math.max(1, ((this.span.end ?? last) - (this.span.start ?? first)) * factor) / 2;
    this.setSpan({ start: middle - half, end: middle + half });
  }

  showAll(): void {
    this.setSpan({});
  }

  private get strings() {
    return this.options.context.strings.readings;
  }

  private startRequest(): AbortSignal {
    this.abortController?.abort();
    this.abortController = new AbortController();
    return this.abortController.signal;
  }

  private request(): { readonly columns: readonly string[] } & Span {
    const chosen = this.columns.filter(({ name }) => this.chosen.has(name));
    return { columns: chosen.slice(0, MAX_COLUMNS).map(({ id }) => id), ...this.span };
  }

  private choose(columns: readonly ValueColumn[], on: boolean): void {
    for (const { name } of columns) {
      if (on) this.chosen.add(name);
      else this.chosen.delete(name);
    }
    void this.read();
  }

  private setSpan(span: Span): void {
    this.span = span;
    void this.read();
  }

  private async read(): Promise<void> {
    const { ref } = this;
    const request = this.request();
    if (!ref) return;
    if (request.columns.length === 0) {
      this.clear(this.strings.chart.chooseHint);
      return;
    }
    this.note.textContent = this.strings.states.loading;
    const signal = this.startRequest();
    try {
      const { host } = this.options.context;
      this.chart = await host.request('chartReadings', { ...ref, ...request }, signal);
      this.draw();
    } catch (error) {
      if (!signal.aborted) this.options.failed(error);
    }
  }

  private clear(note: string): void {
    this.chart = undefined;
    this.plot?.destroy();
    this.plot = undefined;
    this.note.textContent = note;
    this.cursorText.textContent = '';
    this.table.show([]);
    this.table.element.hidden = true;
    this.whole.hidden = true;
  }

  private draw(): void {
    const { chart, utc } = this;
    if (!chart) return;
    this.plot?.destroy();
    this.cursorText.textContent = '';
    this.plot = new Plot(this.plotArea, {
      kind: 'line',
      across: 'time',
      utc,
      levelLine: true,
      ...plotSize(this.plotArea, MIN_HEIGHT),
      series: chart.lines.map(({ name, times, values }) => ({ name, x: times, y: values })),
      onCursor: (index) => this.showCursor(index),
      onSpan: (start, end) => this.setSpan({ start, end }),
      onWhole: () => this.showAll(),
    });
    this.note.textContent = this.describeChart(chart);
    this.table.show(chart.lines.map((line) => ({ ...line, origin: line.resource })));
    this.table.element.hidden = chart.lines.length === 0;
    this.whole.hidden = this.span.start === undefined;
  }

  private recolor(): void {
    this.plot?.recolor();
    this.table.recolor();
  }

  private describeChart({ lines, leftOut, read, count, thinned }: ReadingChart): string {
    const { chart } = this.strings;
    const { locale } = this.options.context;
    const number = (value: number): string => value.toLocaleString(locale);
    const times = this.plot?.xValues ?? [];
    const [first, last] = [times[0], times[times.length - 1]];
    const notes: string[] = [];
    if (first === undefined || last === undefined) {
      notes.push(chart.noData);
    } else {
      const time = this.options.timeText();
      const points = lines.reduce((sum, line) => sum + line.points, 0);
      notes.push(fillPlaceholders(chart.points, number(points), time(first), time(last)));
    }
    notes.push(fillPlaceholders(chart.rows, number(read), number(count)));
    if (thinned) notes.push(chart.thinned);
    if (leftOut > 0) notes.push(fillPlaceholders(chart.leftOut, number(leftOut)));
    if (this.chosen.size > MAX_COLUMNS) {
      notes.push(fillPlaceholders(chart.mostColumns, number(MAX_COLUMNS)));
    }
    return notes.join(' · ');
  }

  private showCursor(index: number | undefined): void {
    const time = index === undefined ? undefined : this.plot?.xValues[index];
    if (index === undefined || time === undefined) {
      this.cursorText.textContent = '';
      return;
    }
    const lines = this.chart?.lines ?? [];
    const values = cursorValues(this.plot, lines, index, (value) => this.table.text(value));
    this.cursorText.textContent = [this.options.timeText()(time), ...values].join(' · ');
  }

  private resize(): void {
    const { width, height } = plotSize(this.plotArea, MIN_HEIGHT);
    this.plot?.resize(width, height);
  }
}
