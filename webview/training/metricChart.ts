import * as l10n from '@vscode/l10n';
import type { JobSeries } from '../../src/shared/training';
import {
  type ChartByKeys,
  ChartDataTable,
  cursorValues,
  listenToChartKeys,
  plotSize,
  stepIndex,
} from '../ui/chart/chartAccessibility';
import { Plot } from '../ui/chart/plot';
import { element, uniqueId } from '../ui/elements';
import { localeTag } from '../ui/format';
import type { TrainingContext } from './trainingContext';

const MIN_HEIGHT = 120;

/**
 * Metrics for a training job by epoch: as a line chart, as text for the epoch at the cursor, and as
 * a table.
 */
export class MetricChart implements ChartByKeys {
  readonly element: HTMLElement;
  private readonly area: HTMLElement;
  private readonly cursorText = element('p', { class: 'chart-cursor' });
  private readonly table: ChartDataTable;
  private series: readonly JobSeries[] = [];
  private plot: Plot | undefined;

  constructor(
    { heading, table }: { readonly heading: string; readonly table: string },
    private readonly context: Pick<TrainingContext, 'locale' | 'announce'>,
  ) {
    this.table = new ChartDataTable({ table, series: l10n.t('Metric') }, localeTag(context.locale));
    const keys = element(
      'div',
      { class: 'visually-hidden', id: uniqueId('keys') },
      l10n.t('Arrow keys move between epochs. Home and End go to the first and last epoch.'),
    );
    this.area = element('div', {
      class: 'plot-area',
      tabindex: '0',
      role: 'group',
      'aria-label': heading,
      'aria-describedby': keys.id,
    });
    this.element = element(
      'section',
      { class: 'metric-chart', 'aria-label': heading },
      element('h3', {}, heading),
      this.area,
      this.cursorText,
      this.table.element,
      keys,
    );
    this.element.hidden = true;
    listenToChartKeys(this.area, this);
    new ResizeObserver(() => this.resize()).observe(this.area);
  }

  /** Draws metrics unless they are already drawn. */
  show(series: readonly JobSeries[]): void {
    if (JSON.stringify(series) === JSON.stringify(this.series)) return;
    this.series = series;
    this.element.hidden = series.length === 0;
    this.table.show(series.map(summarizeSeries));
    this.draw();
  }

  /** Redraws the chart after the theme changed. */
  recolor(): void {
    this.plot?.recolor();
    this.table.recolor();
  }

  step(by: number): void {
    const { plot } = this;
    const index = plot && stepIndex(plot.xValues.length, plot.cursor, by);
    if (!plot || index === undefined) return;
    plot.moveTo(index);
    this.context.announce(this.cursorText.textContent);
  }

  zoom(factor: number): void {
    this.plot?.zoom(factor);
  }

  showAll(): void {
    this.plot?.setSpan(-Infinity, Infinity);
  }

  /** Draws the metrics. Preserves the visible range and the cursor as long as there are metrics. */
  private draw(): void {
    const { plot } = this;
    const series = this.series.map(({ name, epochs, values }) => ({
      name,
      x: new Float64Array(epochs).buffer,
      y: new Float64Array(values).buffer,
    }));
    if (series.length === 0) {
      this.clear();
    } else if (plot) {
      plot.setSeries(series);
    } else {
      this.plot = new Plot(this.area, {
        // A numeric axis would label fractions, but epochs are integers.
        kind: 'line',
        across: 'text',
        label: (epoch) => this.table.text(epoch),
        utc: false,
        levelLine: false,
        series,
        ...plotSize(this.area, MIN_HEIGHT),
        onCursor: (index) => this.showCursor(index),
        onSpan: (start, end) => this.plot?.setSpan(start, end),
        onWhole: () => this.showAll(),
      });
    }
  }

  private clear(): void {
    this.plot?.destroy();
    this.plot = undefined;
    this.cursorText.textContent = '';
  }

  private showCursor(index: number | undefined): void {
    const at = index === undefined ? undefined : this.plot?.xValues[index];
    if (index === undefined || at === undefined) {
      this.cursorText.textContent = '';
      return;
    }
    const values = cursorValues(this.plot, this.series, index, (value) => this.table.text(value));
    const epoch = l10n.t('Epoch {0}', this.table.text(at));
    this.cursorText.textContent = [epoch, ...values].join(' · ');
  }

  private resize(): void {
    if (this.area.clientWidth === 0) return;
    const { width, height } = plotSize(this.area, MIN_HEIGHT);
    this.plot?.resize(width, height);
  }
}

function summarizeSeries({ name, values }: JobSeries) {
  const sum = values.reduce((total, value) => total + value, 0);
  return {
    name,
    points: values.length,
    least: Math.min(...values),
    greatest: Math.max(...values),
    mean: sum / values.length,
    first: values[0] ?? NaN,
    last: values.at(-1) ?? NaN,
  };
}
