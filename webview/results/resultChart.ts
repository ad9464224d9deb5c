import type { ProfiledColumn } from '../../src/shared/query/results';
import { type ChartByKeys, listenToChartKeys } from '../ui/chart/chartKeys';
import { chartPicture } from '../ui/chart/chartPicture';
import { FigureTable } from '../ui/chart/figureTable';
import { lineStyle } from '../ui/chart/lineStyles';
import { Plot } from '../ui/chart/plot';
import { seriesSample } from '../ui/chart/seriesSample';
import { element } from '../ui/elements';
import { fillPlaceholders } from '../ui/fillPlaceholders';
import { localeTag } from '../ui/localeTag';
import { ColumnChooser } from '../ui/table/columnChooser';
import { toolButton } from '../ui/toolButton';
import type { AmountText } from './amountText';
import type { Arrangement } from './arrangement';
import {
  type ChartChoice,
  drawnColumns,
  MOST_COLUMNS,
  numberColumns,
  readChoice,
} from './chartChoice';
import { acrossText, noteOf } from './chartNote';
import { type DrawableChart, drawable } from './drawableChart';
import { ChartPickers } from './chartPickers';
import type { ResultsContext } from './resultsContext';

export interface ResultChartOptions {
  /** Begins the ids of what is in it; no other on the page has it. */
  readonly id: string;
  readonly context: ResultsContext;
  readonly arrangement: Arrangement;
  readonly amounts: AmountText;
  readonly failed: (error: unknown) => void;
}

/** Under this name the page keeps what is drawn. */
const KEPT_AS = 'resultChart';
const LEAST_HEIGHT = 160;
const LEAST_WIDTH = 100;

interface Drawn extends DrawableChart {
  readonly kind: ChartChoice['kind'];
  /** How many rows it is of. */
  readonly rows: number;
}

/** Numbers of a result as lines, bars or points, to be seen, read and heard. */
export class ResultChartView implements ChartByKeys {
  readonly element = element('div', { class: 'chart-view result-chart' });
  private readonly plotArea: HTMLElement;
  private readonly note = element('p', { class: 'faint chart-note', role: 'status' });
  private readonly cursorText = element('p', { class: 'chart-cursor' });
  private readonly pickers: ChartPickers;
  private readonly chooser: ColumnChooser;
  private readonly table: FigureTable;
  private readonly again: HTMLButtonElement;
  private readonly whole: HTMLButtonElement;
  private readonly save: HTMLButtonElement;
  private readonly themes: MutationObserver;
  private choice: ChartChoice;
  private columns: readonly ProfiledColumn[] = [];
  private drawn: Drawn | undefined;
  private plot: Plot | undefined;
  private place: number | undefined;
  private asking: AbortController | undefined;
  private isShown = false;

  constructor(private readonly options: ResultChartOptions) {
    const { id, context } = options;
    const { chart, columns } = context.strings;
    this.choice = readChoice(context.kept.get(KEPT_AS));
    this.table = new FigureTable(chart, localeTag(context.locale), (index) =>
      seriesSample(this.drawn?.kind ?? 'line', index),
    );
    this.plotArea = element('div', {
      ...{ class: 'plot-area', tabindex: '0', role: 'group', 'aria-label': chart.label },
      'aria-describedby': `${id}-keys`,
    });
    this.pickers = new ChartPickers(chart, (change) => this.choose(change));
    this.chooser = new ColumnChooser({
      ...{ strings: columns, label: chart.chooseY, offersAll: false },
      isChosen: ({ name }) => this.drawnNames.includes(name),
      choose: (chosen, on) =>
        this.chooseNumbers(
          chosen.map(({ name }) => name),
          on,
        ),
      closed: () => this.plotArea.focus(),
    });
    const chooseY = toolButton(chart.chooseY, () => this.openChooser(), {
      ...{ focusKey: 'chart y', class: 'bordered' },
    });
    this.again = toolButton(chart.refresh, () => void this.show(), {
      ...{ focusKey: 'chart again', class: 'bordered' },
    });
    this.whole = toolButton(chart.whole, () => this.showAll(), {
      ...{ focusKey: 'chart whole', class: 'bordered' },
    });
    this.save = toolButton(chart.savePicture, () => void this.savePicture(), {
      ...{ focusKey: 'save chart', class: 'bordered' },
    });
    const tools = element('div', { class: 'chart-tools' });
    tools.append(...this.pickers.elements, chooseY, this.whole, this.again, this.save);
    const keys = element('div', { class: 'visually-hidden', id: `${id}-keys` }, chart.keys);
    this.element.append(tools, this.chooser.element, this.note, this.plotArea);
    this.element.append(this.cursorText, this.table.element, keys);
    listenToChartKeys(this.plotArea, this);
    new ResizeObserver(() => this.resize()).observe(this.plotArea);
    // Another theme has other colors, which are drawn into a picture.
    this.themes = new MutationObserver(() => this.draw());
    const attributeFilter = ['class', 'data-vscode-theme-id'];
    this.themes.observe(document.body, { attributes: true, attributeFilter });
    this.clear('');
  }

  /** Draws what there is, unless it is drawn already. */
  begin(): void {
    if (!this.isShown) void this.show();
  }

  /** Draws what there is by now. */
  async show(): Promise<void> {
    const { context, arrangement } = this.options;
    const { result } = arrangement.view;
    const signal = this.ask();
    this.isShown = true;
    this.note.textContent = context.strings.chart.loading;
    try {
      const { columns } = await context.host.request('profileResult', { result }, signal);
      this.columns = columns;
      this.pickers.show(columns, this.choice);
      await this.read();
    } catch (error) {
      if (!signal.aborted) this.options.failed(error);
    }
  }

  /** Rows have come, or all are there. */
  grow(isOver: boolean): void {
    const { drawn } = this;
    if (!this.isShown || !drawn || this.asking) return;
    const isStale = this.options.arrangement.count > drawn.rows;
    if (isStale && isOver) void this.show();
    this.again.hidden = !isStale;
  }

  /** Other rows are shown. */
  rearranged(): void {
    this.stop();
    this.chooser.hide();
    this.clear('');
  }

  stop(): void {
    this.asking?.abort();
    this.asking = undefined;
    this.isShown = false;
  }

  dispose(): void {
    this.stop();
    this.themes.disconnect();
    this.plot?.destroy();
  }

  focus(): void {
    this.plotArea.focus();
  }

  step(by: number): void {
    const { plot } = this;
    if (!plot || plot.places.length === 0) return;
    const from = this.place ?? (by > 0 ? -1 : plot.places.length);
    const place = Math.min(Math.max(from + by, 0), plot.places.length - 1);
    this.bringIntoSight(plot.places[place] ?? 0);
    plot.moveTo(place);
    this.showCursor(place);
    this.options.context.announce(this.cursorText.textContent);
  }

  zoom(factor: number): void {
    const { plot } = this;
    const span = plot?.span;
    if (!plot || !span) return;
    const middle = plot.places[this.place ?? -1] ?? (span.start + span.end) / 2;
    const half = ((span.end - span.start) * factor) / 2;
    this.setSpan(middle - half, middle + half);
  }

  showAll(): void {
    this.draw();
  }

  private get drawnNames(): readonly string[] {
    return drawnColumns(this.columns, this.choice).y.map(({ name }) => name);
  }

  private ask(): AbortSignal {
    this.asking?.abort();
    this.asking = new AbortController();
    return this.asking.signal;
  }

  private openChooser(): void {
    this.chooser.open(numberColumns(this.columns));
  }

  private chooseNumbers(names: readonly string[], on: boolean): void {
    const rest = this.drawnNames.filter((name) => !names.includes(name));
    this.choose({ y: on ? [...rest, ...names] : rest });
  }

  private choose(change: Partial<ChartChoice>): void {
    this.choice = { ...this.choice, ...change };
    this.options.context.kept.set(KEPT_AS, this.choice);
    this.pickers.show(this.columns, this.choice);
    void this.read();
  }

  private async read(): Promise<void> {
    const { context, arrangement, failed } = this.options;
    const { chart: words } = context.strings;
    const { x, y, series } = drawnColumns(this.columns, this.choice);
    if (y.length === 0) {
      const hasNumbers = numberColumns(this.columns).length > 0;
      this.asking = undefined;
      this.clear(hasNumbers ? words.chooseHint : words.noNumbers);
      return;
    }
    this.note.textContent = words.loading;
    const signal = this.ask();
    const { kind } = this.choice;
    const rows = arrangement.count;
    try {
      const request = {
        ...{ ...arrangement.view, kind, y: y.map(({ id }) => id) },
        ...(x && { x: x.id }),
        ...(series && { series: series.id }),
      };
      const chart = await context.host.request('chartResult', request, signal);
      this.asking = undefined;
      this.drawn = { ...drawable(chart, kind, x === undefined), kind, rows };
      this.draw();
    } catch (error) {
      if (!signal.aborted) failed(error);
    }
  }

  private clear(note: string): void {
    this.drawn = undefined;
    this.plot?.destroy();
    this.plot = undefined;
    this.note.textContent = note;
    this.cursorText.textContent = '';
    this.table.show([]);
    this.table.element.hidden = true;
    for (const tool of [this.whole, this.again, this.save]) tool.hidden = true;
  }

  private draw(): void {
    const { drawn } = this;
    if (!drawn) return;
    const { chart, kind } = drawn;
    const { series, labels, xKind } = chart;
    this.plot?.destroy();
    this.place = undefined;
    this.cursorText.textContent = '';
    this.plot = new Plot(this.plotArea, {
      ...{ kind, across: xKind, labels, series, utc: true, ...this.size() },
      onCursor: (place) => this.showCursor(place),
      onSpan: (start, end) => this.setSpan(start, end),
    });
    this.note.textContent = this.noteText(drawn);
    this.table.show(series);
    this.table.element.hidden = series.length === 0;
    this.whole.hidden = true;
    this.save.hidden = series.length === 0;
    this.again.hidden = this.options.arrangement.count <= drawn.rows;
  }

  private noteText(drawn: Drawn): string {
    const { context, amounts } = this.options;
    const { isTooMany } = drawnColumns(this.columns, this.choice);
    const words = context.strings.chart;
    const most = fillPlaceholders(words.mostColumns, amounts.number(MOST_COLUMNS));
    const own = noteOf({ ...drawn, places: this.plot?.places ?? [] }, words, amounts);
    return isTooMany ? `${own} · ${most}` : own;
  }

  private bringIntoSight(at: number): void {
    const span = this.plot?.span;
    if (!span || (at >= span.start && at <= span.end)) return;
    const half = (span.end - span.start) / 2;
    this.setSpan(at - half, at + half);
  }

  private setSpan(start: number, end: number): void {
    this.plot?.setSpan(start, end);
    this.whole.hidden = false;
  }

  private showCursor(place: number | undefined): void {
    this.place = place;
    const at = place === undefined ? undefined : this.plot?.places[place];
    if (place === undefined || at === undefined || !this.drawn) {
      this.cursorText.textContent = '';
      return;
    }
    const { series, xKind, labels } = this.drawn.chart;
    const values = series.flatMap(({ name }, index) => {
      const value = this.plot?.valueAt(index, place);
      const { letter } = lineStyle(index);
      return value === undefined ? [] : [`${letter} ${name}: ${this.table.text(value)}`];
    });
    const across = acrossText(at, xKind, labels, (value) => this.table.text(value));
    this.cursorText.textContent = [across, ...values].join(' · ');
  }

  private async savePicture(): Promise<void> {
    const { drawn, plot, options } = this;
    if (!drawn || !plot) return;
    const names = drawn.chart.series.map(({ name }) => name);
    const note = this.note.textContent;
    try {
      const png = await chartPicture({ plot: plot.canvas, kind: drawn.kind, names, note });
      options.context.host.send('saveChart', { png });
    } catch (error) {
      options.failed(error);
    }
  }

  private size(): { readonly width: number; readonly height: number } {
    const { clientWidth, clientHeight } = this.plotArea;
    return {
      width: Math.max(clientWidth, LEAST_WIDTH),
      height: Math.max(clientHeight, LEAST_HEIGHT),
    };
  }

  private resize(): void {
    if (this.plotArea.clientWidth === 0) return;
    const { width, height } = this.size();
    this.plot?.resize(width, height);
  }
}
