import * as l10n from '@vscode/l10n';
import { element } from '../elements';
import { lineSample, lineStyle } from './lineStyles';
import type { Plot } from './plot';

/** Statistics for one series, including the values that aren't drawn. */
export interface SeriesSummary {
  readonly name: string;
  /** Origin of the series' data. */
  readonly origin?: string | undefined;
  readonly points: number;
  readonly least: number;
  readonly greatest: number;
  readonly mean: number;
  readonly first: number;
  readonly last: number;
}

/** Strings that differ between charts. */
export interface ChartTableLabels {
  /** Label of the table. */
  readonly table: string;
  /** Header of the column with the names of the series. */
  readonly series: string;
}

/** A table with a chart's statistics; it also serves as the legend of the chart's lines. */
export class ChartDataTable {
  readonly element: HTMLElement;
  private readonly table = element('table', { class: 'figure-table' });
  private readonly number: Intl.NumberFormat;
  private shown: readonly SeriesSummary[] = [];

  constructor(
    private readonly labels: ChartTableLabels,
    locale: string | undefined,
    /** Draws a sample of a series in the style that the chart uses. */
    private readonly createSample: (index: number) => Element = (index) =>
      lineSample(lineStyle(index)),
  ) {
    this.number = new Intl.NumberFormat(locale, { maximumSignificantDigits: 6 });
    this.element = element(
      'div',
      { class: 'figure-scroller', role: 'region', tabindex: '0', 'aria-label': labels.table },
      this.table,
    );
    this.table.setAttribute('aria-label', labels.table);
  }

  text(value: number): string {
    const { number } = this;
    const size = Math.abs(value);
    const isFar = size >= 1e15 || (size > 0 && size < 1e-6);
    return isFar ? value.toExponential(5) : number.format(value);
  }

  show(series: readonly SeriesSummary[]): void {
    this.shown = series;
    const head = [
      l10n.t('Points'),
      l10n.t('Minimum'),
      l10n.t('Maximum'),
      l10n.t('Mean'),
      l10n.t('First'),
      l10n.t('Last'),
    ].map((text) => element('th', { scope: 'col', class: 'kind-number' }, text));
    this.table.replaceChildren(
      element(
        'thead',
        {},
        element('tr', {}, element('th', { scope: 'col' }, this.labels.series), ...head),
      ),
      element('tbody', {}, ...series.map((one, index) => this.row(one, index))),
    );
  }

  /** Redraws the samples in the current theme's colors. */
  recolor(): void {
    this.show(this.shown);
  }

  private row(series: SeriesSummary, index: number): HTMLElement {
    const { letter } = lineStyle(index);
    const { points, least, greatest, mean, first, last, origin } = series;
    const values = [least, greatest, mean, first, last].map((value) =>
      element('td', { class: 'kind-number' }, this.text(value)),
    );
    const name = element('th', { scope: 'row' }, `${letter} `);
    name.append(this.createSample(index), element('span', { dir: 'auto' }, ` ${series.name} `));
    if (origin !== undefined) name.append(element('span', { class: 'faint', dir: 'auto' }, origin));
    const count = element('td', { class: 'kind-number' }, this.number.format(points));
    return element('tr', {}, name, count, ...values);
  }
}

/**
 * Describes the values of a plot's lines at an index, each with the line's letter and name. Skips
 * lines without a point at the index.
 */
export function cursorValues(
  plot: Plot | undefined,
  lines: readonly { readonly name: string }[],
  pointIndex: number,
  text: (value: number) => string,
): string[] {
  return lines.flatMap(({ name }, index) => {
    const value = plot?.valueAt(index, pointIndex);
    const { letter } = lineStyle(index);
    return value === undefined ? [] : [`${letter} ${name}: ${text(value)}`];
  });
}

const MIN_WIDTH = 100;

/**
 * Returns the size of the plot in an area, in pixels. Also works before the browser has laid out
 * the area.
 */
export function plotSize(
  { clientWidth, clientHeight }: HTMLElement,
  minHeight: number,
): { readonly width: number; readonly height: number } {
  return {
    width: Math.max(clientWidth, MIN_WIDTH),
    height: Math.max(clientHeight, minHeight),
  };
}

/** Chart actions that keys trigger. */
export interface ChartByKeys {
  /** Moves the cursor by the given number of points. */
  step(by: number): void;
  /** Scales the visible range by a factor around the cursor. */
  zoom(factor: number): void;
  showAll(): void;
}

const FAR = Number.MAX_SAFE_INTEGER;

export function listenToChartKeys(target: HTMLElement, chart: ChartByKeys): void {
  target.addEventListener('keydown', (event) => {
    if (event.target !== target || event.altKey || event.ctrlKey || event.metaKey) return;
    const act = findKeyAction(event, chart);
    if (!act) return;
    act();
    event.preventDefault();
    event.stopPropagation();
  });
}

/**
 * Returns the index after the given number of steps, clamped to the valid range. Without a current
 * index, starts before the first or after the last index.
 * @param count number of indexes
 * @returns undefined if `count` is 0
 */
export function stepIndex(
  count: number,
  index: number | undefined,
  by: number,
): number | undefined {
  if (count === 0) return undefined;
  const from = index ?? (by > 0 ? -1 : count);
  return Math.min(Math.max(from + by, 0), count - 1);
}

function findKeyAction(
  { key, shiftKey }: KeyboardEvent,
  chart: ChartByKeys,
): (() => void) | undefined {
  const step = shiftKey ? 10 : 1;
  switch (key) {
    case 'ArrowLeft':
      return () => chart.step(-step);
    case 'ArrowRight':
      return () => chart.step(step);
    case 'Home':
      return () => chart.step(-FAR);
    case 'End':
      return () => chart.step(FAR);
    case '+':
    case '=':
      return () => chart.zoom(0.5);
    case '-':
      return () => chart.zoom(2);
    case '0':
      return () => chart.showAll();
    default:
      return undefined;
  }
}
