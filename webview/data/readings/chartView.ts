import * as l10n from '@vscode/l10n';
import type {
  ChartRequest,
  ReadingChart,
  ReadingListingRef,
} from '../../../src/shared/data/readings';
import type { ValueColumn } from '../../../src/shared/tables';
import type { DataContext } from '../dataContext';
import { element, toolButton } from '../../ui/elements';
import { type FormatTime, localeTag } from '../../ui/format';
import {
  type ChartByKeys,
  ChartDataTable,
  cursorValues,
  listenToChartKeys,
  plotSize,
  stepIndex,
} from '../../ui/chart/chartAccessibility';
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
 * Chart of the numbers in selected columns over time. The same information is available as text,
 * including for screen readers.
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
    this.table = new ChartDataTable(
      { table: l10n.t('Chart line values'), series: l10n.t('Series') },
      localeTag(context.locale),
    );
    this.plotArea = element('div', {
      class: 'plot-area',
      tabindex: '0',
      role: 'group',
      'aria-label': l10n.t('Readings over time'),
      'aria-describedby': 'chart-keys',
    });
    this.chooser = new ColumnChooser({
      label: l10n.t('Select Columns…'),
      offersAll: false,
      isChosen: ({ name }) => this.chosen.has(name),
      choose: (chosen, on) => this.choose(chosen, on),
      closed: () => this.plotArea.focus(),
    });
    const choose = toolButton(l10n.t('Select Columns…'), () => this.chooser.open(this.columns), {
      focusKey: 'chart columns',
    });
    const showWhole = (): void => {
      // The button disappears once the whole range is visible, so move focus.
      this.plotArea.focus();
      this.showAll();
    };
    this.whole = toolButton(l10n.t('Entire Range'), showWhole, { focusKey: 'whole span' });
    const tools = element('div', { class: 'viewer-head' }, choose, this.whole);
    const keys = element(
      'div',
      { class: 'visually-hidden', id: 'chart-keys' },
      l10n.t(
        'Left and Right move the cursor; with Shift, they move it by ten points. Plus and minus zoom, and 0 shows everything.',
      ),
    );
    this.element.append(tools, this.chooser.element, this.note, this.plotArea);
    this.element.append(this.cursorText, this.table.element, keys);
    listenToChartKeys(this.plotArea, this);
    new ResizeObserver(() => this.resize()).observe(this.plotArea);
    // When the theme changes, redraw the chart, because its image contains the theme's colors.
    new MutationObserver(() => this.recolor()).observe(document.body, {
      attributes: true,
      attributeFilter: ['class', 'data-vscode-theme-id'],
    });
  }

  async show(ref: ReadingListingRef): Promise<void> {
    this.ref = ref;
    const { host } = this.options.context;
    const signal = this.startRequest();
    this.note.textContent = l10n.t('Loading…');
    try {
      const { columns } = await host.request('numericReadingColumns', ref, signal);
      this.columns = columns;
      if (this.request().columns.length > 0) {
        await this.read();
      } else {
        this.clear(
          columns.length === 0
            ? l10n.t('The loaded readings contain no numbers.')
            : l10n.t('Select the numbers to chart.'),
        );
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
      this.clear(l10n.t('Select the numbers to chart.'));
      return;
    }
    this.note.textContent = l10n.t('Loading…');
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
    const { locale } = this.options.context;
    const number = (value: number): string => value.toLocaleString(locale);
    const times = this.plot?.xValues ?? [];
    const [first, last] = [times[0], times[times.length - 1]];
    const notes: string[] = [];
    if (first === undefined || last === undefined) {
      notes.push(l10n.t('These columns have no values to chart.'));
    } else {
      const time = this.options.timeText();
      const points = lines.reduce((sum, line) => sum + line.points, 0);
      notes.push(l10n.t('{0} points from {1} to {2}', number(points), time(first), time(last)));
    }
    notes.push(l10n.t('From the {0} of {1} readings loaded so far', number(read), number(count)));
    if (thinned) notes.push(l10n.t('Downsampled to the minimum and maximum of each interval'));
    if (leftOut > 0) {
      notes.push(
        l10n.t('{0} more series are not drawn. Narrow the filter to see them.', number(leftOut)),
      );
    }
    if (this.chosen.size > MAX_COLUMNS) {
      notes.push(l10n.t('A chart can show up to {0} columns.', number(MAX_COLUMNS)));
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
