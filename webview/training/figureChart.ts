import type { JobSeries } from '../../src/shared/training';
import type { TrainingChartStrings } from '../../src/shared/trainingStrings';
import { type ChartByKeys, listenToChartKeys, steppedPlace } from '../ui/chart/chartKeys';
import { cursorValues } from '../ui/chart/cursorValues';
import { FigureTable } from '../ui/chart/figureTable';
import { Plot, type PlotOptions } from '../ui/chart/plot';
import { plotSize } from '../ui/chart/plotSize';
import { element } from '../ui/elements';
import { fillPlaceholders } from '../ui/fillPlaceholders';
import { localeTag } from '../ui/localeTag';
import { uniqueId } from '../ui/uniqueId';
import type { TrainingContext } from './trainingContext';

const LEAST_HEIGHT = 120;
/** Up to so many epochs are named one by one. */
const MOST_NAMED = 10_000;

/** Figures of a training by its epochs: as lines, at the cursor in words, and as a table. */
export class FigureChart implements ChartByKeys {
  readonly element: HTMLElement;
  private readonly area: HTMLElement;
  private readonly cursorText = element('p', { class: 'chart-cursor' });
  private readonly table: FigureTable;
  private readonly words: TrainingChartStrings;
  private series: readonly JobSeries[] = [];
  private plot: Plot | undefined;
  private place: number | undefined;

  constructor(
    { heading, table }: { readonly heading: string; readonly table: string },
    private readonly context: Pick<TrainingContext, 'strings' | 'locale' | 'announce'>,
  ) {
    this.words = context.strings.chart;
    this.table = new FigureTable({ ...this.words, table }, localeTag(context.locale));
    const keys = element(
      'div',
      { class: 'visually-hidden', id: uniqueId('keys') },
      this.words.keys,
    );
    this.area = element('div', {
      ...{ class: 'plot-area', tabindex: '0', role: 'group', 'aria-label': heading },
      'aria-describedby': keys.id,
    });
    this.element = element(
      'section',
      { class: 'figures', 'aria-label': heading },
      element('h3', {}, heading),
      ...[this.area, this.cursorText, this.table.element, keys],
    );
    this.element.hidden = true;
    listenToChartKeys(this.area, this);
    new ResizeObserver(() => this.resize()).observe(this.area);
  }

  /** Draws figures; nothing happens when they are those that are drawn. */
  show(series: readonly JobSeries[]): void {
    if (JSON.stringify(series) === JSON.stringify(this.series)) return;
    this.series = series;
    this.element.hidden = series.length === 0;
    this.table.show(series.map(figuresOf));
    this.draw();
  }

  /** Draws again, as in the colors of another theme. */
  draw(): void {
    this.plot?.destroy();
    this.plot = undefined;
    this.place = undefined;
    this.cursorText.textContent = '';
    if (this.series.length === 0) return;
    this.plot = new Plot(this.area, {
      ...{ kind: 'line', utc: false, ...this.across(), ...plotSize(this.area, LEAST_HEIGHT) },
      series: this.series.map(({ name, epochs, values }) => ({
        ...{ name, x: new Float64Array(epochs).buffer, y: new Float64Array(values).buffer },
      })),
      onCursor: (place) => this.showCursor(place),
      onSpan: (start, end) => this.plot?.setSpan(start, end),
    });
  }

  step(by: number): void {
    const { plot } = this;
    const place = plot && steppedPlace(plot.places.length, this.place, by);
    if (!plot || place === undefined) return;
    plot.moveTo(place);
    this.showCursor(place);
    this.context.announce(this.cursorText.textContent);
  }

  zoom(factor: number): void {
    const { plot } = this;
    const span = plot?.span;
    if (!plot || !span) return;
    const middle = plot.places[this.place ?? -1] ?? (span.start + span.end) / 2;
    const half = ((span.end - span.start) * factor) / 2;
    plot.setSpan(middle - half, middle + half);
  }

  showAll(): void {
    this.draw();
  }

  /** Numbers have fractions between them, and epochs do not. */
  private across(): Pick<PlotOptions, 'across' | 'labels'> {
    const last = Math.max(...this.series.map(({ epochs }) => epochs.at(-1) ?? 0));
    // A log may claim any number.
    if (last > MOST_NAMED) return { across: 'number', labels: [] };
    const labels = Array.from({ length: last + 1 }, (_, epoch) => this.table.text(epoch));
    return { across: 'text', labels };
  }

  private showCursor(place: number | undefined): void {
    this.place = place;
    const at = place === undefined ? undefined : this.plot?.places[place];
    if (place === undefined || at === undefined) {
      this.cursorText.textContent = '';
      return;
    }
    const values = cursorValues(this.plot, this.series, place, (value) => this.table.text(value));
    const epoch = fillPlaceholders(this.words.epoch, this.table.text(at));
    this.cursorText.textContent = [epoch, ...values].join(' · ');
  }

  private resize(): void {
    if (this.area.clientWidth === 0) return;
    const { width, height } = plotSize(this.area, LEAST_HEIGHT);
    this.plot?.resize(width, height);
  }
}

function figuresOf({ name, values }: JobSeries) {
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
