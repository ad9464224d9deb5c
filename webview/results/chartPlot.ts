import * as l10n from '@vscode/l10n';
import {
  type ChartByKeys,
  ChartDataTable,
  cursorValues,
  listenToChartKeys,
  plotSize,
  stepIndex,
} from '../ui/chart/chartAccessibility';
import { Plot } from '../ui/chart/plot';
import { element } from '../ui/elements';
import { exactTime, type FormatTime, localeTag } from '../ui/format';
import { formatXValue, type NotedChart } from './chartChoice';
import type { ResultsContext } from './resultsContext';
import { lineStyle, themeColor } from '../ui/chart/lineStyles';
import { barFill, getMarker, type PlotStyle } from '../ui/chart/plotOptions';

export interface ChartPlotOptions {
  /** Prefix for the IDs of the chart's elements; unique on the page. */
  readonly id: string;
  readonly context: Pick<ResultsContext, 'locale' | 'announce'>;
  /** Called when the user zooms in to part of the x range or back to the whole range. */
  readonly onZoom: (isPart: boolean) => void;
}

const MIN_HEIGHT = 160;

/** A drawn chart: its plot, the values at the cursor, and its statistics. */
export class ChartPlot implements ChartByKeys {
  readonly elements: readonly HTMLElement[];
  private readonly area: HTMLElement;
  private readonly cursorText = element('p', { class: 'chart-cursor' });
  private readonly table: ChartDataTable;
  private readonly time: FormatTime;
  private readonly themes: MutationObserver;
  private drawn: NotedChart | undefined;
  private plot: Plot | undefined;

  constructor(private readonly options: ChartPlotOptions) {
    const { id, context } = options;
    this.time = exactTime(context.locale, true);
    this.table = new ChartDataTable(
      { table: l10n.t('Chart values'), series: l10n.t('Series') },
      localeTag(context.locale),
      (index) => seriesSample(this.drawn?.kind ?? 'line', index),
    );
    this.area = element('div', {
      class: 'plot-area',
      tabindex: '0',
      role: 'group',
      'aria-label': l10n.t('Result chart'),
      'aria-describedby': `${id}-keys`,
    });
    const keys = element(
      'div',
      { class: 'visually-hidden', id: `${id}-keys` },
      l10n.t(
        'Left and Right move the cursor; with Shift, they move it by ten points. Plus and minus zoom, and 0 shows everything.',
      ),
    );
    this.elements = [this.area, this.cursorText, this.table.element, keys];
    listenToChartKeys(this.area, this);
    new ResizeObserver(() => this.resize()).observe(this.area);
    // When the theme changes, redraw the chart, because its image contains the theme's colors.
    this.themes = new MutationObserver(() => this.recolor());
    const attributeFilter = ['class', 'data-vscode-theme-id'];
    this.themes.observe(document.body, { attributes: true, attributeFilter });
  }

  /** x values at which the chart has points. */
  get xValues(): readonly number[] {
    return this.plot?.xValues ?? [];
  }

  show(drawn: NotedChart): void {
    this.drawn = drawn;
    this.draw(drawn);
    const { series } = drawn.chart;
    this.table.show(series);
    this.table.element.hidden = series.length === 0;
  }

  clear(): void {
    this.drawn = undefined;
    this.plot?.destroy();
    this.plot = undefined;
    this.cursorText.textContent = '';
    this.table.show([]);
    this.table.element.hidden = true;
  }

  dispose(): void {
    this.themes.disconnect();
    this.clear();
  }

  focus(): void {
    this.area.focus();
  }

  step(by: number): void {
    const { plot } = this;
    const index = plot && stepIndex(plot.xValues.length, plot.cursor, by);
    if (!plot || index === undefined) return;
    plot.moveTo(index);
    this.options.context.announce(this.cursorText.textContent);
  }

  zoom(factor: number): void {
    this.plot?.zoom(factor);
    this.notifyZoom();
  }

  showAll(): void {
    this.setSpan(-Infinity, Infinity);
  }

  /**
   * Returns the chart as a PNG file; undefined if nothing is drawn.
   * @param note text below the chart
   */
  async exportImage(note: string): Promise<ArrayBuffer | undefined> {
    const { drawn, plot } = this;
    if (!drawn || !plot) return undefined;
    const names = drawn.chart.series.map(({ name }) => name);
    return renderChartImage({ plot: plot.canvas, kind: drawn.kind, names, note });
  }

  private draw({ chart, kind }: NotedChart): void {
    const { series, labels, xKind } = chart;
    this.plot?.destroy();
    this.cursorText.textContent = '';
    this.plot = new Plot(this.area, {
      kind,
      across: xKind,
      series,
      utc: true,
      levelLine: true,
      label: (index) => labels[index] ?? '',
      ...plotSize(this.area, MIN_HEIGHT),
      onCursor: (index) => this.showCursor(index),
      onSpan: (start, end) => this.setSpan(start, end),
      onWhole: () => this.showAll(),
    });
    this.options.onZoom(false);
  }

  private setSpan(start: number, end: number): void {
    this.plot?.setSpan(start, end);
    this.notifyZoom();
  }

  private recolor(): void {
    this.plot?.recolor();
    this.table.recolor();
  }

  private notifyZoom(): void {
    this.options.onZoom(this.plot?.isPart ?? false);
  }

  private showCursor(index: number | undefined): void {
    const at = index === undefined ? undefined : this.plot?.xValues[index];
    if (index === undefined || at === undefined || !this.drawn) {
      this.cursorText.textContent = '';
      return;
    }
    const { chart } = this.drawn;
    const number = (value: number): string => this.table.text(value);
    const values = cursorValues(this.plot, chart.series, index, number);
    const across = formatXValue(at, chart, { number, time: this.time });
    this.cursorText.textContent = [across, ...values].join(' · ');
  }

  private resize(): void {
    if (this.area.clientWidth === 0) return;
    const { width, height } = plotSize(this.area, MIN_HEIGHT);
    this.plot?.resize(width, height);
  }
}

const LINE_HEIGHT = 20;
const MARGIN = 12;
const SAMPLE_WIDTH = 48;

export interface ChartImage {
  readonly plot: HTMLCanvasElement;
  readonly kind: PlotStyle['kind'];
  /** Names of the series, which are written below the plot. */
  readonly names: readonly string[];
  /** Additional text, such as a description of the plot. */
  readonly note: string;
}

/** Returns a chart and its names as a PNG file, in the theme's colors. */
async function renderChartImage(picture: ChartImage): Promise<ArrayBuffer> {
  const { plot, kind, names, note } = picture;
  const ratio = devicePixelRatio;
  const width = plot.width / ratio;
  const plotHeight = plot.height / ratio;
  const canvas = document.createElement('canvas');
  canvas.width = plot.width;
  canvas.height = (plotHeight + (names.length + 1) * LINE_HEIGHT + 2 * MARGIN) * ratio;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('There is no canvas to draw on.');
  context.fillStyle = themeColor('--vscode-editor-background') || 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(plot, 0, 0);
  context.scale(ratio, ratio);
  context.font = `12px ${themeColor('--vscode-font-family') || 'sans-serif'}`;
  context.textBaseline = 'middle';
  const write = (text: string, left: number, line: number): void => {
    context.fillStyle = themeColor('--vscode-foreground') || 'black';
    const top = plotHeight + MARGIN + line * LINE_HEIGHT + LINE_HEIGHT / 2;
    context.fillText(text, left, top, width - left - MARGIN);
  };
  names.forEach((name, index) => {
    drawSample(context, kind, index, MARGIN, plotHeight + MARGIN + index * LINE_HEIGHT + 4);
    write(`${lineStyle(index).letter} ${name}`, MARGIN + SAMPLE_WIDTH + 8, index);
  });
  write(note, MARGIN, names.length);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('The image is too large.');
  return blob.arrayBuffer();
}

const WIDTH = 48;
const HEIGHT = 12;

/** Draws a sample of a series, `WIDTH` by `HEIGHT` pixels in size, in the chart's style. */
function drawSample(
  context: CanvasRenderingContext2D,
  kind: PlotStyle['kind'],
  series: number,
  x = 0,
  y = 0,
): void {
  const { color, dash } = lineStyle(series);
  const middle = y + HEIGHT / 2;
  context.strokeStyle = color;
  context.fillStyle = kind === 'bar' ? barFill(series, color) : color;
  context.lineWidth = kind === 'line' ? 2 : 1;
  context.setLineDash(kind === 'line' ? [...dash] : []);
  const path = new Path2D();
  if (kind === 'line') {
    path.moveTo(x, middle);
    path.lineTo(x + WIDTH, middle);
  } else if (kind === 'bar') {
    path.rect(x + WIDTH / 2 - 8, y + 0.5, 16, HEIGHT - 1);
  } else {
    getMarker(series)(path, x + WIDTH / 2, middle, 4);
  }
  if (kind !== 'line') context.fill(path);
  context.stroke(path);
  context.setLineDash([]);
}

/** Returns a sample of a series for the table below the chart. */
function seriesSample(kind: PlotStyle['kind'], series: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  const ratio = devicePixelRatio;
  canvas.width = WIDTH * ratio;
  canvas.height = HEIGHT * ratio;
  canvas.style.inlineSize = `${WIDTH}px`;
  canvas.style.blockSize = `${HEIGHT}px`;
  canvas.setAttribute('aria-hidden', 'true');
  const context = canvas.getContext('2d');
  context?.scale(ratio, ratio);
  if (context) drawSample(context, kind, series);
  return canvas;
}
